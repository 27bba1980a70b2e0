import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { STEPS } from '../app/explore/check/steps.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';

const t = translatorFor('en');
const SCRIPT = fileURLToPath(new URL('../public/check-proof.mjs', import.meta.url));

const lookUp = async (page: Page, reference: string) => {
  await page.getByRole('searchbox', { name: t('explore.search.label') }).fill(reference);
  await page.keyboard.press('Enter');
};

const startCheck = (page: Page) => page.getByRole('button', { name: t('explore.check.start') }).click();

const verdicts = async (page: Page) => {
  await expect(page.locator('[data-step=head], [data-step=inclusion]')).toBeVisible();
  const rows = await page.locator('[data-step]').all();
  return Promise.all(
    rows.map(async (row) => [await row.getAttribute('data-step'), await row.getAttribute('data-verdict')]),
  );
};

test('an earlier address of the search leads to the search, in its language @long', { tag: '@desktop' }, async ({
  page,
  api,
}) => {
  const { domain } = await api.newHolder();
  await page.goto(`/explore?${new URLSearchParams({ q: domain, lang: 'es' })}`);
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible();
  await expect(page).toHaveURL(/lang=es/);
  await page.goto('/explore?q=nothing+of+this+name');
  await expect(page).toHaveURL(/\/explore\/search\?q=nothing\+of\+this\+name$/);
  await expect(page.getByRole('searchbox')).toHaveValue('nothing of this name');
});

test('a visitor opens a transaction of a domain, verifies it, and verifies its proof file without the service @desktop', async ({
  page,
  api,
}, info) => {
  const holder = await api.newHolder();
  const clinic = await api.newInstitution();
  const { token } = await api.grant(holder, clinic.id);
  await api.lock(holder);
  // An entry after it: a proof without the following entries must fail.
  await api.newHolder();

  await page.goto('/explore');
  await checkScreen(page, 'explore', info);
  await lookUp(page, holder.domain.replace(/\.bsp$/, '').toUpperCase());
  await expect(page.getByRole('heading', { level: 1, name: holder.domain })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(t('common.state.LOCKED'));
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await page.title()).not.toContain(holder.domain);
  const feed = page.locator('head link[rel=alternate][type="application/atom+xml"]');
  await expect(feed).toHaveAttribute('href', `/api/beos/${holder.id}/feed`);
  expect((await page.request.get(`/api/beos/${holder.id}/feed`)).headers()['content-type']).toContain('atom+xml');
  await checkScreen(page, 'explore-identity', info);

  await expect(page.getByRole('navigation', { name: t('explore.crumbs') })).toContainText(t('explore.kind.identity'));
  const locked = page.getByRole('row').filter({ hasText: t('operations.lockBEO') });
  await locked.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('operations.lockBEO'));
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect.poll(async () => (await api.get(`/tlog/proof/${id}`)).status()).toBe(200);
  await startCheck(page);
  expect(await verdicts(page)).toEqual(STEPS.log.map((step) => [step, step === 'witnesses' ? 'unchecked' : 'good']));
  const verdict = page.getByText(t('explore.check.outcome.unwitnessed.title'), { exact: true });
  await expect(verdict).toBeVisible();
  expect(await topOf(verdict)).toBeLessThan(await topOf(page.locator('[data-step=item]')));
  await page.locator('[data-step=person] summary').click();
  await expect(page.locator('[data-step=person]')).toContainText(holder.key.publicKey);
  await checkScreen(page, 'explore-transaction', info);

  const proof = await download(page);
  const { checkpoint_key: log } = await (await api.get('/api/ledger')).json();
  expect(checkFile(proof, '--log', log)).toMatchObject({
    status: 0,
    text: expect.stringMatching(new RegExp(`${holder.key.publicKey} signed [^]+\\nVALID: every step passed\\. .+\\n$`)),
  });
  const moved = proof.replace(/^index (\d+)$/m, (_, index) => `index ${Number(index) + 1}`);
  expect(checkFile(moved, '--log', log)).toMatchObject({
    status: 1,
    text: expect.stringMatching(/\nNOT VALID: .+\n$/),
  });

  await expect(page.getByRole('status').filter({ hasText: t('home.ledger.status.FINAL') })).toBeVisible();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  const copy = page.getByRole('link', { name: t('explore.transaction.gateway') });
  await expect(copy).toHaveAttribute('href', /^http.*\/tx\/[\w-]{43}$/);

  await page.goto(`/explore/${token.token_id}`);
  await expect(page.getByRole('main')).toContainText(t('explore.consent.holdsNot', { reason: 'BEO_NOT_ACTIVE' }));
  await expect(page.getByRole('row').filter({ hasText: `Consent given to ${clinic.domain}: ` })).toHaveCount(1);
  await checkScreen(page, 'explore-consent', info);
  await page.getByRole('link', { name: clinic.domain }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: clinic.domain })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(t('explore.institution.because.UNCERTIFIED'));
  await checkScreen(page, 'explore-institution', info);
});

test('an entry that is not in the log yet is verified with its chain, and data that was not signed is detected @long', {
  tag: '@desktop',
}, async ({ page, api, identity }) => {
  await page.route('**/api/trpc/inclusionProof**', (route) => route.fulfill({ json: [{ result: { data: null } }] }));
  await page.goto(`/explore/${identity.transactionId}`);
  await startCheck(page);
  expect((await verdicts(page)).map(([step]) => step)).toEqual(STEPS.chain);
  const { relayer_public_key: relayer } = await (await api.get('/api/ledger')).json();
  expect(checkFile(await download(page), relayer)).toMatchObject({ status: 0 });
  await page.route('**/api/trpc/proof**', async (route) => {
    const response = await route.fetch();
    const responses = await response.json();
    const { data } = responses[0].result;
    const item = Buffer.from(data.item, 'base64');
    item.write(identity.domain.replace('e2e', 'e3e'), item.lastIndexOf(identity.domain));
    await route.fulfill({ response, json: [{ result: { data: { ...data, item: item.toString('base64') } } }] });
  });
  await page.goto(`/explore/${identity.transactionId}`);
  await startCheck(page);
  expect(Object.fromEntries(await verdicts(page))).toMatchObject({ item: 'good', relayer: 'bad', person: 'bad' });
  await expect(page.getByText(t('explore.check.outcome.bad.title'), { exact: true })).toBeVisible();
});

test('a search without results and a text that cannot be one are each reported @desktop @long', async ({
  page,
  request,
}, info) => {
  const title = page.getByRole('heading', { level: 1 });
  await page.goto('/explore');
  for (const typed of ['unknown-domain', 'not a/domain?.bsp', '9'.repeat(30), '\u202e\u{1f600}', '<script>']) {
    await lookUp(page, typed);
    await expect(title).toHaveText(t('explore.nothing.unknown.title', { reference: typed }));
  }
  await checkScreen(page, 'explore-unknown', info);
  const long = 'x'.repeat(5_000);
  for (const path of [
    `/explore/search?q=${long}`,
    '/explore/search?q=a%00b',
    '/explore/search?q=a%0Ab',
    `/explore/${long}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(t('explore.nothing.malformed.body', { suffix: 'bsp' }))).toBeVisible();
  }
  const ignored = 'function=%00&kind=none&status=1&before=99999999999999999999&after=-1&consents=x';
  for (const path of [
    `/explore?${ignored}`,
    `/explore/unknown.bsp?${ignored}`,
    '/explore/search?q=a&q=b',
    '/explore?before=0',
  ]) {
    const response = await request.get(path, { headers: { accept: 'text/html' } });
    expect([path, response.status()]).toEqual([path, 200]);
  }
});

test('relative times move on while a page stays open', { tag: '@desktop' }, async ({ page, api }) => {
  const { domain } = await api.newHolder();
  await page.clock.install();
  await page.goto(`/explore/${domain}?lang=en`);
  const time = page.getByRole('main').locator('dl time').first();
  await expect(time).toContainText(/second|now/);
  // Requests stay without a response, so that nothing else renders the page again.
  await page.route('**/api/**', () => {});
  await page.clock.fastForward('02:00:00');
  await expect(time).toContainText('2 hours ago');
});

test('a search finds numbers, names of institutions and destroyed names, and lists several matches @desktop @long', async ({
  page,
  api,
}, info) => {
  const [name] = randomUUID().split('-');
  const holder = await api.newHolder(undefined, `${name}.bsp`);
  const clinic = await api.newInstitution(undefined, `Clinic ${name} Sul`);
  await page.goto('/explore');
  await lookUp(page, `clinic ${name}`);
  await expect(page.getByRole('heading', { level: 1, name: clinic.domain })).toBeVisible();
  await lookUp(page, name ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    t('explore.results.title', { count: 2, typed: name ?? '' }),
  );
  await expect(page.getByRole('listitem').filter({ hasText: `Clinic ${name} Sul` })).toContainText(clinic.domain);
  await checkScreen(page, 'explore-results', info);
  await page.getByRole('main').getByRole('link', { name: holder.domain }).click();
  await expect(page.getByRole('heading', { level: 1, name: holder.domain })).toBeVisible();
  await api.destroy(holder);
  await lookUp(page, holder.domain);
  await page.getByRole('link', { name: t('explore.nothing.destroyed.link') }).click();
  await expect(page.getByRole('main')).toContainText(t('common.state.DESTROYED'));

  await lookUp(page, 'no. 2');
  const crumbs = page.getByRole('navigation', { name: t('explore.crumbs') });
  await expect(crumbs).toContainText(t('explore.kind.transaction', { seq: 2 }));
  await page.getByRole('link', { name: t('explore.transaction.next', { seq: 3 }) }).click();
  await expect(crumbs).toContainText(t('explore.kind.transaction', { seq: 3 }));
  await page.getByRole('link', { name: t('explore.transaction.previous', { seq: 2 }) }).click();
  await expect(crumbs).toContainText(t('explore.kind.transaction', { seq: 2 }));
  await page.goto('/explore/3');
  await expect(crumbs).toContainText(t('explore.kind.transaction', { seq: 3 }));
  await page.goto('/explore/999999');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    t('explore.nothing.missing.title', { seq: 999_999 }),
  );
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a domain can be looked up @desktop', async ({ page, identity }) => {
    await page.goto('/explore?lang=en');
    await lookUp(page, identity.domain);
    await expect(page).toHaveURL(new RegExp(`/explore/${identity.domain}`));
    await expect(page.getByRole('heading', { level: 1, name: identity.domain })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: t('operations.createBEO') })).toBeVisible();
  });

  test('the entries are read page by page, filtered, saved as CSV, and counted by day @desktop', async ({
    page,
    api,
    request,
  }) => {
    await Promise.all(Array.from({ length: 21 }, () => api.newHolder()));
    const list = page.getByRole('table', { name: t('explore.latest.title') });
    const numbers = async () => (await list.getByRole('link', { name: /^No\. / }).allTextContents()).map(seqOf);
    await page.goto('/explore?lang=en');
    const [newest = 0, ...others] = await numbers();
    expect(others).toHaveLength(19);
    // A page that is still arriving moves its links, so that a click can miss them.
    const follow = async (name: string) =>
      page.goto((await page.getByRole('link', { name }).getAttribute('href')) ?? '');
    await follow(t('explore.list.older'));
    expect((await numbers())[0]).toBe((others.at(-1) ?? 0) - 1);
    await follow(t('explore.list.newer'));
    expect((await numbers())[0]).toBeGreaterThanOrEqual(newest);
    await page.getByRole('combobox', { name: t('explore.list.function') }).selectOption('createBEO');
    await page.getByRole('combobox', { name: t('explore.list.kind') }).selectOption('identity');
    await page.getByRole('button', { name: t('explore.list.apply') }).click();
    await expect(page).toHaveURL(/function=createBEO&kind=identity&status=/);
    await expect(list.getByRole('rowheader').filter({ hasText: t('operations.createBEO') })).toHaveCount(20);
    // Another test may have destroyed some of them, which have no name any more.
    await expect(list.getByRole('link', { name: /\.bsp$/ })).not.toHaveCount(0);
    const csv = page.getByRole('link', { name: t('explore.list.csv') });
    const file = await (await request.get((await csv.getAttribute('href')) ?? '')).text();
    const rows = file.split('\r\n').filter((row) => /^\d+,[^,]+,createBEO,Identity created,identity,/.test(row));
    expect(rows.length).toBeGreaterThan(20);
    expect(file.split('\r\n')).toHaveLength(rows.length + 2);
    await page.getByLabel(t('explore.list.from'), { exact: true }).fill('2090-01-01');
    await page.getByRole('button', { name: t('explore.list.apply') }).click();
    await expect(page.getByText(t('explore.list.none'))).toBeVisible();
    await page.getByRole('link', { name: t('explore.list.clear') }).click();
    await page.getByText(t('explore.activity.asTable')).click();
    const days = page.getByRole('table', { name: t('explore.activity.title') }).getByRole('row');
    await expect(days).toHaveCount(31);
    const today = Number(((await days.nth(1).getByRole('cell').textContent()) ?? '').replace(/\D/g, ''));
    expect(today).toBeGreaterThan(0);
  });
});

const topOf = async (element: Locator): Promise<number> => (await element.boundingBox())?.y ?? Number.NaN;

/** The number in a link such as “No. 1,234”. */
const seqOf = (text: string): number => Number(text.replace(/\D/g, ''));

/** The content of the file that the page offers. */
async function download(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: t('explore.check.file.download') }).click();
  return readFileSync(await (await downloading).path(), 'utf8');
}

/** Runs the product's check-proof script on a file with this content. */
function checkFile(content: string, ...options: string[]): { status: number; text: string } {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-proof-'));
  try {
    const path = join(directory, 'proof');
    writeFileSync(path, content);
    return { status: 0, text: execFileSync(process.execPath, [SCRIPT, path, ...options], { encoding: 'utf8' }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { status, text: stdout };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
