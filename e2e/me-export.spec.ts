import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { newStoredHolderWithRecords } from './health-records.ts';
import { clickButton } from './page-actions.ts';
import { unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

test('a holder exports records in every format, and an incomplete response gives no file', async ({
  page,
  api,
  request,
}, info) => {
  const { holder } = await newStoredHolderWithRecords(page, api, request);
  await api.grant(holder, holder.id, { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] });
  await page.goto('/me/export');
  await clickButton(page, t('exporting.make'));
  await expect(page.getByText(t('exporting.choose'))).toBeVisible();
  await checkScreen(page, 'export', info);

  const exportAs = async (format: 'CSV' | 'FHIR_R4' | 'JSON', first = false) => {
    await page.getByRole('radio', { name: t(`exporting.format.${format}.name`) }).check();
    await clickButton(page, t('exporting.make'));
    if (first) await unlockKey(page, t);
    const save = page.getByRole('link', { name: t('exporting.ready.save') });
    await expect(page.getByText(t('exporting.ready.what', { count: 5 }))).toBeVisible();
    if (first) await checkScreen(page, 'export-ready', info);
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    await clickButton(page, t('exporting.ready.another'));
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };

  const csv = await exportAs('CSV', true);
  expect(csv.name).toMatch(new RegExp(`^${holder.domain}-records-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
  const { data, errors } = Papa.parse<Record<string, string>>(csv.text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect([errors, data.map(({ value }) => value).toSorted()]).toEqual([
    [],
    ['18.4', '36', '42.50', '425', "'=1+1"].toSorted(),
  ]);

  const fhir = JSON.parse((await exportAs('FHIR_R4')).text);
  const observations = fhir.entry.filter(
    ({ resource }: { resource: { resourceType: string } }) => resource.resourceType === 'Observation',
  );
  expect([fhir.resourceType, observations.length]).toEqual(['Bundle', 5]);

  const json = JSON.parse((await exportAs('JSON')).text);
  expect([json.beo_id, json.record_count, json.records.length]).toEqual([holder.id, 5, 5]);
  expect(json.records[0].proof.salt).toMatch(/^[0-9a-f]{64}$/);

  await page.route('**/api/exchange/export', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: '{"request_id":"x","format":"CSV","record_count":5,"data":"a',
    }),
  );
  await page.getByRole('radio', { name: t('exporting.format.CSV.name') }).check();
  await clickButton(page, t('exporting.make'));
  await expect(page.getByRole('alert').filter({ hasText: t('exporting.broken') })).toBeVisible();
  await expect(page.getByRole('link', { name: t('exporting.ready.save') })).toHaveCount(0);
  await page.unroute('**/api/exchange/export');
});
