import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { createClient } from '../client/client.ts';
import { readShareLink } from '../client/shares.ts';
import { fhirErrors } from '../protocol/records/fhir/test-fhir-errors.ts';
import { MAX_LIVE_SHARES, shareFileDigest } from '../protocol/share-files.ts';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { encryptedFile } from '../server/features/shares/test-shares.ts';
import type { Api, Fields, Holder } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, newClientAddress, test, translatorFor } from './fixtures.ts';
import { healthRecord, newStoredHolderWithRecords, submitRecords } from './health-records.ts';
import { clickButton, clickLink, expectScreen } from './page-actions.ts';
import { unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const NOTE = 'Dr Lima, second opinion';
const PASSCODE = 'abacate 4711';
const SELF = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] };

interface Observation {
  readonly id: string;
  readonly valueQuantity?: { readonly value: number };
  readonly valueString?: string;
}

/** A holder with records of a laboratory, on the first question. */
async function startShare(page: Page, api: Api, request: APIRequestContext) {
  const made = await newStoredHolderWithRecords(page, api, request);
  await api.grant(made.holder, made.holder.id, SELF);
  await page.goto('/me/records');
  await clickButton(page, t('records.open.action'));
  await unlockKey(page, t);
  await clickLink(page, t('records.share'));
  await expectScreen(page, t('shares.what.title'));
  return made;
}

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check();
const next = (page: Page) => clickButton(page, t('common.next'));

async function writeNote(page: Page): Promise<void> {
  await expectScreen(page, t('shares.who.title'));
  await page.getByLabel(t('shares.who.label')).fill(NOTE);
  await next(page);
  await expectScreen(page, t('shares.how.title'));
}

/** From the second question to the link, without a passcode. */
async function makeLink(page: Page): Promise<string> {
  await writeNote(page);
  await next(page);
  await clickButton(page, t('shares.review.make'));
  return shownLink(page);
}

async function shownLink(page: Page): Promise<string> {
  await expectScreen(page, t('shares.made.title'));
  const link = await page.getByText(/\/view#shlink:\//).textContent();
  return link ?? '';
}

async function open(page: Page, link: string, passcode?: string) {
  const client = createClient({ url: new URL(page.url()).origin, retries: 0 });
  const [file] = await client.openShare(link, { recipient: 'Practice <Lima>', ...(passcode && { passcode }) });
  const bundle = JSON.parse(file?.content ?? '');
  const observations: Observation[] = bundle.entry
    .map(({ resource }: { resource: { resourceType: string } }) => resource)
    .filter(({ resourceType }: { resourceType: string }) => resourceType === 'Observation');
  const values = observations.map(({ valueQuantity, valueString }) => valueQuantity?.value ?? valueString);
  return { bundle, values: values.toSorted(), content: file?.content ?? '' };
}

test('a holder shares what was collected since a day with a passcode, sees who opens it, and stops it', async ({
  page,
  api,
  request,
}, info) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`));
  const { holder, lab } = await startShare(page, api, request);
  await next(page);
  await expect(page.getByText(t('shares.missing.what'))).toBeVisible();
  await choose(page, t('shares.what.since'));
  await page.getByLabel(t('shares.what.sinceDay')).fill('2025-06-10');
  await expect(page.getByText(t('shares.what.count', { count: 2 }), { exact: true })).toBeVisible();
  await checkScreen(page, 'share-what', info);
  await next(page);
  await writeNote(page);
  await page.getByLabel(t('shares.how.openings')).fill('3');
  await page.getByRole('checkbox', { name: t('shares.how.passcode') }).check();
  await next(page);
  await expect(page.getByText(t('shares.missing.passcode', { least: 4 }))).toBeVisible();
  await page.getByRole('textbox', { name: t('shares.how.passcodeLabel') }).fill(PASSCODE);
  await checkScreen(page, 'share-how', info);
  await next(page);
  await expectScreen(page, t('shares.review.title'));
  await expect(page.getByText('2 values of 1 kind')).toBeVisible();
  await checkScreen(page, 'share-review', info);
  await clickButton(page, t('shares.review.make'));

  const link = await shownLink(page);
  await expect(page.getByRole('img', { name: t('common.passOn.qrLabel', { who: NOTE }) })).toBeVisible();
  await expect(page.getByText(PASSCODE)).toBeVisible();
  await checkScreen(page, 'share-made', info);
  const secrets = [PASSCODE, NOTE, readShareLink(link).key];
  const having = (secret: string) => sent.filter((text) => text.includes(secret)).length;
  // The note is signed; the key and the passcode stay here.
  expect(secrets.map(having)).toEqual([0, 1, 0]);
  const { values, content } = await open(page, link, PASSCODE);
  expect(values).toEqual([36, 42.5]);
  // The number as it was sent, and not the record that it replaced.
  expect(content).toContain('42.50');
  expect(content).not.toMatch(/425 ng|"value":425/);

  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-VT'] });
  await submitRecords(request, lab, holder, token.token_id, [healthRecord(77, '2026-03-01')]);
  expect(await open(page, link, PASSCODE)).toMatchObject({ values: [36, 42.5] });
  await expect(open(page, link, 'guess')).rejects.toMatchObject({ code: 'PASSCODE_INVALID' });

  await clickLink(page, t('shares.made.toShares'));
  await expectScreen(page, t('shares.title'));
  const share = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: NOTE }) });
  await expect(share).toContainText(t('shares.opened', { count: 2, most: 3 }));
  await expect(share).toContainText(t('shares.wrong', { count: 1 }));
  await expect(share.getByRole('listitem')).toHaveText([/Practice <Lima>$/, /Practice <Lima>$/]);
  await checkScreen(page, 'shares', info);

  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('dashboard.holder.overview') })
    .locator('visible=true')
    .click();
  await expect(page.getByRole('link', { name: t('overview.since.opened', { label: NOTE, count: 2 }) })).toBeVisible();
  await checkScreen(page, 'overview-opened', info);
  await clickLink(page, t('overview.since.opened', { label: NOTE, count: 2 }));
  await share.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: t('shares.stop.title', { label: NOTE }) });
  await checkScreen(page, 'share-stop', info);
  await dialog.getByRole('button', { name: t('shares.stop.yes') }).click();
  await expect(page.getByText(t('shares.stop.done'))).toBeVisible();
  await expect(share).toContainText(/You stopped it on/);
  await expect(open(page, link, PASSCODE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a summary is made with the keyboard, is valid FHIR, and is opened by the viewer and another implementation @long', {
  tag: '@desktop',
}, async ({ page, api, request, newUser }) => {
  const { holder } = await startShare(page, api, request);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  await tabTo(page, page.getByRole('radio', { name: t('shares.what.summary'), exact: true }));
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: t('shares.what.summary'), exact: true })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(heading(t('shares.who.title'))).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(NOTE);
  await page.keyboard.press('Enter');
  await expect(heading(t('shares.how.title'))).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(heading(t('shares.review.title'))).toBeFocused();
  await expect(page.getByText(t('shares.duration.days', { count: 7 }))).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: t('shares.review.make') }));
  await page.keyboard.press('Enter');
  await expect(heading(t('shares.made.title'))).toBeFocused();

  const link = await shownLink(page);
  const { bundle, values } = await open(page, link);
  expect(fhirErrors(bundle)).toEqual([]);
  expect([bundle.type, bundle.entry[0].resource.title]).toEqual(['document', t('shares.summary.title')]);
  expect(values).toEqual([42.5, '=1+1']);
  expect(JSON.stringify(bundle.entry[0].resource.section)).toContain(', 10 Jan 2026</li>');
  expect(bundle.entry[1].resource.name).toEqual([{ use: 'anonymous', text: holder.domain }]);
  const name: string = 'kill-the-clipboard';
  const { SHLViewer } = await import(name);
  const opened = await new SHLViewer({ shlinkURI: link }).resolveSHL({ recipient: 'Another viewer' });
  expect(opened.fhirResources).toEqual([bundle]);

  const doctor = await newUser();
  await doctor.goto(link);
  await doctor.getByLabel(t('view.open.who')).fill('Dr Lima');
  await clickButton(doctor, t('view.open.action'));
  await expect(doctor.getByText(t('view.summary.proved', { count: 2, all: 2 }))).toBeVisible();
  await expect(doctor.getByText(holder.domain).first()).toBeVisible();
});

test('a visit and a kind are shared alone @long', async ({ page, api, request }) => {
  await startShare(page, api, request);
  await choose(page, t('shares.what.visits'));
  await page.getByRole('checkbox', { name: /^10 Jun 2025/ }).check();
  await next(page);
  expect((await open(page, await makeLink(page))).values).toEqual([36]);

  await page.goto('/me/shares/new');
  await clickButton(page, t('records.open.action'));
  await unlockKey(page, t);
  await choose(page, t('shares.what.kinds'));
  await page.getByRole('checkbox', { name: 'APOE Genotype' }).check();
  await next(page);
  expect((await open(page, await makeLink(page))).values).toEqual(['=1+1']);
});

test('locking the key hides the link and forgets unfinished answers @long', async ({ page, api, request }, info) => {
  await startShare(page, api, request);
  await choose(page, t('shares.what.all'));
  await next(page);
  await writeNote(page);
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage));
  await expect.poll(stored).toContain(NOTE);
  await clickButton(page, t('session.putAway'));
  await expect.poll(stored).not.toContain(NOTE);

  await clickButton(page, t('session.open'));
  await unlockKey(page, t);
  await clickButton(page, t('records.open.action'));
  await next(page);
  await clickButton(page, t('shares.review.make'));
  const link = await shownLink(page);
  await clickButton(page, t('session.putAway'));
  await expect(page.getByText(t('shares.made.locked'))).toBeVisible();
  await expect(page.getByText(link)).toHaveCount(0);
  await checkScreen(page, 'share-made-locked', info);
  await clickButton(page, t('shares.made.unlock'));
  await unlockKey(page, t);
  expect(await shownLink(page)).toBe(link);
});

test('a link whose response was lost is made once, and answers stay without a connection @long', async ({
  page,
  api,
  request,
  pageErrors,
}) => {
  await startShare(page, api, request);
  await choose(page, t('shares.what.all'));
  await next(page);
  await writeNote(page);
  await next(page);
  await page.route('**/api/exchange/export', (route) => route.abort());
  await clickButton(page, t('shares.review.make'));
  await expect(page.getByRole('alert').filter({ hasText: t('errors.UNREACHABLE') })).toBeVisible();
  await page.unroute('**/api/exchange/export');
  await page.route('**/api/shares', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await clickButton(page, t('shares.review.make'));
  await expect(page.getByRole('alert').filter({ hasText: t('errors.UNREACHABLE') })).toBeVisible();
  await page.unroute('**/api/shares');
  await clickButton(page, t('shares.review.make'));
  const { values } = await open(page, await shownLink(page));
  expect(values).toEqual([18.4, 36, 42.5, '=1+1']);
  await expectPageError(pageErrors, 'ERR_FAILED');
  await clickLink(page, t('shares.made.toShares'));
  await expect(page.getByRole('heading', { name: NOTE })).toHaveCount(1);
});

test('a record that was corrected meanwhile is read again before a link is made @long', async ({
  page,
  api,
  request,
}) => {
  const { holder, lab } = await startShare(page, api, request);
  await choose(page, t('shares.what.all'));
  await next(page);
  await writeNote(page);
  await next(page);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-VT'] });
  const submit = (record: Fields) => submitRecords(request, lab, holder, token.token_id, [record]);
  const later = { client_record_id: 'later' };
  await submit(healthRecord(50, '2026-02-01', later));
  await page.reload();
  await clickButton(page, t('records.open.action'));
  await unlockKey(page, t);
  await expectScreen(page, t('shares.review.title'));
  await submit(healthRecord(51, '2026-02-01', { supersedes: 'later' }));
  await clickButton(page, t('shares.review.make'));
  await expect(page.getByRole('alert').filter({ hasText: t('shares.failed.changed') })).toBeVisible();
  await clickButton(page, t('shares.failed.readAgain'));
  await clickButton(page, t('shares.review.make'));
  expect((await open(page, await shownLink(page))).values).toEqual([18.4, 36, 42.5, 51, '=1+1']);
});

test('limits and a frozen identity are named, with what helps @long', async ({
  page,
  api,
  request,
  pageErrors,
}, info) => {
  const { holder } = await startShare(page, api, request);
  await page.goto('/me/shares');
  await clickButton(page, t('shares.open'));
  await unlockKey(page, t);
  await expect(page.getByRole('heading', { name: t('shares.none.title') })).toBeVisible();
  await checkScreen(page, 'shares-none', info);
  await clickLink(page, t('shares.new'));
  for (let count = 0; count < MAX_LIVE_SHARES; count++) await createShare(request, holder);
  await choose(page, t('shares.what.summary'));
  await next(page);
  await writeNote(page);
  await next(page);
  await clickButton(page, t('shares.review.make'));
  await expect(page.getByRole('alert').filter({ hasText: t('errors.SHARE_LIMIT_REACHED') })).toBeVisible();
  await checkScreen(page, 'share-limit', info);
  await expectPageError(pageErrors, 'status of 403');
  await clickLink(page, t('shares.failed.toShares'));
  await expect(page.getByRole('heading', { name: 'Test' })).toHaveCount(MAX_LIVE_SHARES);

  await api.lock(holder);
  await page.goto('/me/shares/new');
  await expect(page.getByText(t('records.notNow.locked'))).toBeVisible();
  await checkScreen(page, 'share-frozen', info);
});

test('a link to 1,003 records contains all of them @long', async ({ page, api, request }, info) => {
  const { holder, lab } = await newStoredHolderWithRecords(page, api, request);
  await api.grant(holder, holder.id, SELF);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['BSP-VT'] });
  const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
  for (let first = 0; first < 1_000; first += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => healthRecord(30 + (index % 17) / 10, day(first + index)));
    await submitRecords(request, lab, holder, token.token_id, batch);
  }
  await page.goto('/me/shares/new');
  await clickButton(page, t('records.open.action'));
  await unlockKey(page, t);
  await choose(page, t('shares.what.kinds'));
  await page.getByRole('checkbox', { name: 'Vitamin D (25-OH D3)' }).check();
  await next(page);
  await writeNote(page);
  await next(page);
  await expectScreen(page, t('shares.review.title'));
  await expect(page.getByRole('button', { name: t('shares.review.make') })).toBeEnabled();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const ms = await page.evaluate(
    ([button, title]) =>
      new Promise<number>((resolve) => {
        const started = performance.now();
        const isMade = () => document.querySelector('h1')?.textContent === title;
        new MutationObserver(() => isMade() && resolve(performance.now() - started)).observe(document, {
          childList: true,
          subtree: true,
          characterData: true,
        });
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === button)?.click();
      }),
    [t('shares.review.make'), t('shares.made.title')] as const,
  );
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const { values, content } = await open(page, await shownLink(page));
  expect(values).toHaveLength(1_003);
  const description = `${(ms / 1_000).toFixed(2)} s, ${(content.length / 1_000).toFixed(0)} kB of FHIR`;
  info.annotations.push({ type: 'a share of 1,003 records at a processor four times slower', description });
  console.log(`A share of 1,003 records at a processor four times slower: ${description}.`);
});

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  while (!(await control.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
}

async function createShare(request: APIRequestContext, { id, key }: Holder): Promise<void> {
  const file = encryptedFile('{}');
  const fields: Record<string, Json> = {
    beoId: id,
    label: 'Test',
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    passcodeDigest: null,
    openings: 1,
    fileDigests: [shareFileDigest(file)],
  };
  const data = { ...key.sign('createShare', fields), files: [file] };
  const response = await request.post('/api/shares', { data, headers: newClientAddress() });
  expect(response.status(), await response.text()).toBe(200);
}
