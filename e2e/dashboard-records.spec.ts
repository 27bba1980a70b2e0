import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import Papa from 'papaparse';
import { type Api, type Fields, keyOfSeed } from './api.ts';
import { measured, submitted } from './health-records.ts';
import { expect, freshAddress, sayIn, test } from './people.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { onScreen, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

const VITAMIN_D = 'Vitamin D (25-OH D3)';

/** A browser that knows a new holder, of whom a laboratory has added records of two categories, one of them corrected. */
async function withRecords(page: Page, api: Api, request: APIRequestContext) {
  const key = await newOpenedKey();
  const [holder, lab] = await Promise.all([
    api.newHolder(keyOfSeed(key.seed)),
    api.newInstitution(undefined, 'Northern Laboratory', 'LAB'),
  ]);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  const submit = (records: Fields[]) => submitted(request, lab, holder, token.token_id, records);
  const [, , wrong = ''] = await submit([
    measured(18.4, '2025-01-10'),
    measured(36, '2025-06-10'),
    measured(425, '2026-01-10'),
    measured('=1+1', '2025-03-01', { biomarker: 'BSP-GN-001', unit: 'genotype', ref_range: { optimal: 'e3/e3' } }),
  ]);
  await submit([measured('42.50', '2026-01-10', { supersedes: wrong })]);
  await rememberIn(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);
  return { holder, lab };
}

/** Types the passphrase that opens the key of this browser. */
async function unlock(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: say('session.unlock.title') });
  await dialog.locator('input[type=password]').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: say('session.unlock.open'), exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('somebody lets their own key read, sees their records, and who has used a consent', async ({
  page,
  api,
  request,
}, info) => {
  const { lab } = await withRecords(page, api, request);
  await page.goto('/me/records');
  await press(page, say('scope.self.give'));
  await unlock(page);

  const vitamin = page.getByRole('link', { name: VITAMIN_D });
  await expect(vitamin).toContainText('42.50 ng/mL');
  await expect(vitamin).toContainText(say('records.trend.up', { value: '36' }));
  await expect(vitamin).toContainText('Northern Laboratory');
  await expect(page.getByRole('link', { name: 'APOE Genotype' })).toContainText('=1+1 genotype');
  await survey(page, 'records', info);

  await page.getByLabel(say('records.filter.category')).selectOption('BSP-GN');
  await expect(vitamin).toBeHidden();
  await page.getByLabel(say('records.filter.category')).selectOption('');
  await vitamin.click();
  await onScreen(page, VITAMIN_D);

  const chart = page.getByRole('figure');
  await expect(chart).toContainText(say('records.chart.standing.optimal.within'));
  await expect(chart).toContainText('3 values from 10 Jan 2025 to 10 Jan 2026. Lowest 18.4 ng/mL');
  await expect(chart).toContainText('40 – 60 ng/mL');
  await expect(chart.locator('canvas')).toBeVisible();
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(5);
  const replaced = rows.filter({ hasText: say('records.table.replaced') });
  await expect(replaced.locator('del')).toHaveText('425 ng/mL');
  await expect(replaced).toContainText('by 42.50 ng/mL');
  await expect(rows.filter({ hasText: say('records.table.replaces', { value: '425 ng/mL' }) })).toHaveCount(1);
  await expect(replaced.getByRole('link')).toHaveAttribute('href', /^\/explore\/[\w-]{43}$/);
  await survey(page, 'record-chart', info);

  await page.getByRole('link', { name: say('records.all') }).click();
  await expect(vitamin).toBeVisible();
  await page.getByRole('link', { name: 'Português' }).click();
  await expect(page.getByRole('link', { name: 'Genótipo da APOE' })).toBeVisible();
  await expect(page.getByRole('heading', { name: sayIn('pt-BR')('scope.category.BSP-VT') })).toBeVisible();
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.getByRole('link', { name: 'APOE Genotype' })).toBeVisible();
  await page.getByRole('link', { name: 'your access log' }).click();
  await onScreen(page, say('access.title'));
  const visitor = (name: string, exact: boolean) =>
    page
      .getByRole('region')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact }) });
  const [own, others] = [visitor(say('access.me'), true), visitor('Northern Laboratory', false)];
  // One page of what stands and one of what was replaced: going from page to page reads nothing again.
  await expect(own).toContainText(say('access.kind.read', { count: 5 }));
  await expect(own).toContainText('in 2 requests');
  await expect(others).toContainText(say('access.kind.submit', { count: 5 }));
  await expect(others).toContainText(lab.domain);
  await survey(page, 'access', info);
  await page.getByLabel(say('access.notMe')).check();
  await expect(own).toHaveCount(0);
  await expect(others).toHaveCount(1);

  await press(page, say('session.putAway'));
  await expect(others).toHaveCount(0);
  await expect(page.getByRole('button', { name: say('access.action') })).toBeVisible();
});

test('what is on its way covers nothing that can be reached on a small phone', { tag: '@phone' }, async ({
  page,
  api,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await withRecords(page, api, request);
  await page.goto('/me/records');
  await press(page, say('scope.self.give'));
  await unlock(page);
  await expect(page.getByRole('link', { name: VITAMIN_D })).toBeVisible();
  await expect(page.getByText(say('operations.grantConsent'))).toBeVisible();
  const covered = await page.evaluate(() => {
    const strip = document.querySelector('[data-writes] li');
    const others = [...document.querySelectorAll<HTMLElement>('main :is(a, button, select), footer a')].filter(
      (element) => !strip?.contains(element),
    );
    return others.flatMap((element) => {
      element.focus();
      const [own, above] = [element.getBoundingClientRect(), strip?.getBoundingClientRect()];
      return above && own.bottom > above.top && own.top < above.bottom ? [element.innerText] : [];
    });
  });
  expect(covered).toEqual([]);
});

test('somebody takes their records away in each form; half a file is none', async ({ page, api, request }, info) => {
  const { holder } = await withRecords(page, api, request);
  await api.grant(holder, holder.id, { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] });
  await page.goto('/me/export');
  await press(page, say('exporting.make'));
  await expect(page.getByText(say('exporting.choose'))).toBeVisible();
  await survey(page, 'export', info);

  const take = async (format: 'CSV' | 'FHIR_R4' | 'JSON', first = false) => {
    await page.getByRole('radio', { name: say(`exporting.format.${format}.name`) }).check();
    await press(page, say('exporting.make'));
    if (first) await unlock(page);
    const save = page.getByRole('link', { name: say('exporting.ready.save') });
    await expect(page.getByText(say('exporting.ready.what', { count: 5 }))).toBeVisible();
    if (first) await survey(page, 'export-ready', info);
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    await press(page, say('exporting.ready.another'));
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };

  const csv = await take('CSV', true);
  expect(csv.name).toMatch(new RegExp(`^${holder.domain}-records-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
  const { data, errors } = Papa.parse<Record<string, string>>(csv.text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect([errors, data.map(({ value }) => value).toSorted()]).toEqual([
    [],
    ['18.4', '36', '42.50', '425', "'=1+1"].toSorted(),
  ]);

  const fhir = JSON.parse((await take('FHIR_R4')).text);
  const observations = fhir.entry.filter(
    ({ resource }: { resource: { resourceType: string } }) => resource.resourceType === 'Observation',
  );
  expect([fhir.resourceType, observations.length]).toEqual(['Bundle', 5]);

  const json = JSON.parse((await take('JSON')).text);
  expect([json.beo_id, json.record_count, json.records.length]).toEqual([holder.id, 5, 5]);
  expect(json.records[0].proof.salt).toMatch(/^[0-9a-f]{64}$/);

  await page.route('**/api/exchange/export', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: '{"request_id":"x","format":"CSV","record_count":5,"data":"a',
    }),
  );
  await page.getByRole('radio', { name: say('exporting.format.CSV.name') }).check();
  await press(page, say('exporting.make'));
  await expect(page.getByRole('alert').filter({ hasText: say('exporting.broken') })).toBeVisible();
  await expect(page.getByRole('link', { name: say('exporting.ready.save') })).toHaveCount(0);
  await page.unroute('**/api/exchange/export');
});

test(
  'somebody whose consent was used more than a thousand times sees every use',
  { tag: '@desktop' },
  async ({ page, api, request, baseURL }, info) => {
    const { holder, lab } = await withRecords(page, api, request);
    const { token } = await api.grant(holder, lab.id, { intents: ['READ_RECORDS'], categories: ['*'] });
    const read = async () => {
      const signed = lab.key.sign('readRecords', { targetBeo: holder.id, consentToken: token.token_id });
      const query = Object.entries(signed).map(([name, value]) => [name, String(value)]);
      const address = `${baseURL}/api/exchange/records?${new URLSearchParams([...query, ['limit', '1']])}`;
      // Playwright's own requests take several times as long.
      expect((await fetch(address, { headers: freshAddress() })).status).toBe(200);
    };
    for (let left = 1_000; left > 0; left -= 25) await Promise.all(Array.from({ length: 25 }, read));

    await page.goto('/me/access');
    await press(page, say('access.action'));
    await unlock(page);
    await expect(page.getByText(say('access.totalSoFar', { count: 1_000 }))).toBeVisible();
    await expect(page.getByText(say('access.kind.submit', { count: 5 }))).toHaveCount(0);
    await survey(page, 'access-older', info);
    await press(page, say('access.older'));
    await expect(page.getByText(say('access.whole', { count: 1_002 }))).toBeFocused();
    await expect(page.getByText(say('access.total', { count: 1_002 }), { exact: true })).toBeVisible();
    await expect(page.getByText(say('access.kind.submit', { count: 5 }))).toBeVisible();
    await expect(page.getByRole('button', { name: say('access.older') })).toHaveCount(0);
  },
);
