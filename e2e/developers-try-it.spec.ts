import { createPublicKey, hash, verify } from 'node:crypto';
import type { Page } from '@playwright/test';
import { IN_FULL } from '../protocol/test-amount.ts';
import { ALL_WIDTHS, checkScreen, checkScreenInBothThemes, checkWidths, MAIN_WIDTHS } from './check-screen.ts';
import { expect, ignorePageErrors, test } from './fixtures.ts';
import { expectStarted } from './hydration.ts';
import { clickButton } from './page-actions.ts';

const section = (page: Page) => page.locator('#try-it');
const block = (page: Page, label: string) =>
  section(page)
    .locator('figure')
    .filter({ has: page.locator('figcaption', { hasText: label }) })
    .locator('code');
const textOf = (page: Page, label: string): Promise<string> => block(page, label).innerText();
const response = (page: Page) => section(page).getByRole('heading', { name: /^Response: / });
const bodyField = (page: Page) => section(page).getByLabel('Members of the body (JSON)');

async function openForm(page: Page, id: string): Promise<void> {
  await page.goto(`/developers/${id}`);
  await clickButton(page, 'Open the form');
  await expect(section(page).getByRole('button', { name: /end$/ })).toBeVisible();
}

/** The writes that a page sends, as they arrive at the network. */
function collectWrites(page: Page): { readonly path: string; readonly body: string | null }[] {
  const writes: { path: string; body: string | null }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/api/'))
      writes.push({ path: pathname, body: request.postData() });
  });
  return writes;
}

const publicKeyIn = async (page: Page): Promise<string> =>
  /[0-9a-f]{64}/.exec(await section(page).getByText('Public key: ').innerText())?.[0] ?? '';

/** Checks what is shown with Node's hash and verifier. @returns the message, with some of its members as expected */
async function expectShownToVerify(page: Page, members: Record<string, unknown>): Promise<Record<string, unknown>> {
  let message = '';
  // The page may sign again between two of these reads.
  await expect(async () => {
    message = await textOf(page, 'Canonical message (UTF-8)');
    expect(await textOf(page, 'SHA-256 of the message')).toBe(hash('sha256', message));
    const x = Buffer.from(await publicKeyIn(page), 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const signature = Buffer.from(await textOf(page, 'Signature (base64)'), 'base64');
    expect(verify(null, Buffer.from(message), key, signature)).toBe(true);
    expect(JSON.parse(message)).toMatchObject(members);
  }).toPass();
  return JSON.parse(message);
}

test('an operation is confirmed, sent as shown, and recorded; a signed read begins with its id @desktop', async ({
  page,
  api: _,
}, info) => {
  const writes = collectWrites(page);
  await openForm(page, 'createIEO');
  await expect(section(page).getByText('Made in this browser and stored nowhere.')).toBeVisible();
  const shown = await expectShownToVerify(page, {
    function: 'createIEO',
    publicKey: await publicKeyIn(page),
    ledgerId: process.env.LEDGER_ID,
  });
  await checkScreenInBothThemes(page, 'try-it', info);
  await checkWidths(page, 'try-it', IN_FULL ? ALL_WIDTHS : MAIN_WIDTHS);

  await clickButton(page, 'Sign and send');
  const dialog = page.getByRole('dialog', { name: 'Record this on the test network?' });
  await expect(dialog).toContainText('This is a test network: it is not permanent');
  await checkScreen(page, 'try-it-confirm', info);
  await clickButton(page, 'Cancel');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(writes).toEqual([]);

  await clickButton(page, 'Sign and send');
  await clickButton(page, 'Record it');
  await expect(response(page)).toHaveText('Response: status 201');
  await expect(response(page)).toBeFocused();
  const { signature, ...sent } = JSON.parse(writes[0]?.body ?? '');
  expect([writes.length, writes[0]?.path, writes[0]?.body]).toEqual([
    1,
    '/api/ieo',
    await textOf(page, 'Body that is sent'),
  ]);
  expect([{ function: 'createIEO', ...sent }, signature]).toEqual([shown, await textOf(page, 'Signature (base64)')]);
  await expectShownToVerify(page, { function: 'createIEO' });
  const { ieo_id: ieoId, transactionId } = JSON.parse(await block(page, 'Body').first().innerText());
  for (const name of ['X-Request-Id', 'Location', 'RateLimit']) {
    await expect(section(page).getByText(name, { exact: true })).toBeVisible();
  }
  await expect(section(page).getByRole('link', { name: 'Show the entry in the explorer' })).toHaveAttribute(
    'href',
    `/explore/${transactionId}`,
  );
  await checkScreen(page, 'try-it-accepted', info);

  await page.getByRole('navigation', { name: 'API reference' }).getByRole('link', { name: 'Overview' }).click();
  await page.locator('a[href="/developers/listReceived"]').click();
  await expect(section(page).getByLabel('ieoId', { exact: true })).toHaveValue(ieoId);
  await section(page).getByLabel('limit (optional)').fill('7');
  await expectShownToVerify(page, { function: 'listReceived', ieoId });
  await clickButton(page, 'Sign and send');
  await expect(response(page)).toHaveText('Response: status 200');
  expect(JSON.parse(await block(page, 'Body').first().innerText())).toMatchObject({ tokens: [] });
  await checkScreen(page, 'try-it-read', info);
});

test('a refusal shows its code, which links to its page @desktop @long', async ({ page, pageErrors }) => {
  await openForm(page, 'lockBEO');
  await clickButton(page, 'Sign and send');
  await clickButton(page, 'Record it');
  await expect(response(page)).toHaveText('Response: status 404');
  await section(page).getByRole('link', { name: 'BEO_NOT_FOUND' }).click();
  await expect(page).toHaveURL(/\/developers\/errors\/BEO_NOT_FOUND$/);
  ignorePageErrors(pageErrors, 'status of 404');
});

test('a request of the institute is sent without a key, and a lost response is reported @desktop @long', async ({
  page,
  pageErrors,
}) => {
  await openForm(page, 'updateCertification');
  await clickButton(page, 'Send');
  await expect(response(page)).toHaveText('Response: status 401');
  await expect(section(page).getByRole('link', { name: 'INSTITUTE_KEY_MISSING' })).toBeVisible();
  await page.route('**/api/ieo/certification', (route) => route.abort());
  await clickButton(page, 'Send');
  await expect(section(page).getByRole('heading', { name: 'No response' })).toBeFocused();
  ignorePageErrors(pageErrors, 'status of 401');
  ignorePageErrors(pageErrors, 'ERR_FAILED');
});

test('nothing is sent that cannot be signed or looks like a secret key @desktop @long', async ({ page }) => {
  const writes = collectWrites(page);
  await openForm(page, 'createBEO');
  for (const [body, problem] of [
    ['{"domain":', 'This is not JSON'],
    ['{"domain":"a.bsp","domain":"b.bsp"}', 'domain is there twice'],
    ['{"seed":"00"}', 'seed is named like a secret'],
  ] as const) {
    await bodyField(page).fill(body);
    await expect(bodyField(page)).toHaveAccessibleDescription(new RegExp(problem));
    await clickButton(page, 'Sign and send');
    await expect(bodyField(page)).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  expect(writes).toEqual([]);
});

test('the key is stored nowhere: another button or a reload makes another one @desktop @long', async ({ page }) => {
  await openForm(page, 'listGuarded');
  const first = await publicKeyIn(page);
  await clickButton(page, 'New key');
  await expect.poll(() => publicKeyIn(page)).not.toBe(first);
  const second = await publicKeyIn(page);
  await expectShownToVerify(page, { publicKey: second });
  await clickButton(page, 'Sign and send');
  await expect(response(page)).toHaveText('Response: status 200');
  const { nonce } = await expectShownToVerify(page, { publicKey: second });
  await clickButton(page, 'Sign and send');
  await expect.poll(async () => (await expectShownToVerify(page, { publicKey: second })).nonce).not.toBe(nonce);
  await expect(response(page)).toHaveText('Response: status 200');
  const isStored = (await page.context().storageState({ indexedDB: true })).origins.some((origin) =>
    JSON.stringify(origin).includes(second),
  );
  const places = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  expect([isStored, ...places]).toEqual([false, 0, 0, '']);
  await openForm(page, 'listGuarded');
  expect([first, second]).not.toContain(await publicKeyIn(page));
});

test('the first load does not bring the form, and without scripts it is not offered @desktop @long', async ({
  page,
  newUser,
}) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') scripts.push(answer.text());
  });
  const form = 'Made in this browser and stored nowhere';
  await page.goto('/developers/createBEO');
  await expectStarted(page);
  expect((await Promise.all(scripts)).filter((script) => script.includes(form))).toEqual([]);
  await clickButton(page, 'Open the form');
  await expect(section(page).getByText(form)).toBeVisible();
  expect((await Promise.all(scripts)).filter((script) => script.includes(form))).toHaveLength(1);

  const reader = await newUser({ javaScriptEnabled: false });
  await reader.goto('/developers/createBEO');
  await expect(reader.getByRole('heading', { name: 'Examples' })).toBeVisible();
  await expect(reader.locator('#try-it')).toBeHidden();
  await expect(reader.getByRole('link', { name: 'Try it' })).toBeHidden();
});
