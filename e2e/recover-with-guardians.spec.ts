import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { apiPathOf, type Holder, keyOfWords, ROLES } from './api.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import {
  clickButton,
  clickLink,
  clickThroughInvitation,
  clickThroughRequest,
  expectScreen,
  keepKeyAsFile,
  keepKeyAsWords,
  openKeyWithFile,
  sendRecoveryRequest,
  startRecovery,
} from './page-actions.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const t = translatorFor('en');
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

test('a holder who lost the key recovers the identity with two of three guardians', async ({
  page,
  newUser,
  api,
  pageErrors,
  baseURL,
}) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const clinic = await api.newInstitution();
  const { token } = await api.grant(holder, clinic.id);
  const first = await api.invite(holder, 'primary');
  const second = await api.invite(holder, 'secondary');
  const third = await api.invite(holder, 'tertiary');
  const requests: Request[] = [];
  const record = (user: Page) => user.on('request', (request) => requests.push(request));

  const ada = await newUser();
  record(ada);
  await ada.goto(first.url);
  await clickThroughInvitation(ada, t, domain);
  const adasFile = await keepKeyAsFile(ada, t);
  const adasWords = await accept(ada, holder);

  const ben = await newUser();
  record(ben);
  await ben.goto(second.url);
  await clickThroughInvitation(ben, t, domain);
  await keepKeyAsWords(ben, t);
  const bensWords = await accept(ben, holder);

  const cleo = await api.accept(holder, third);
  const guardiansWords = [adasWords, bensWords, guardianWords(holder.id, cleo.key.publicKey)];
  const { guardians } = (await api.identity(holder.id)).recovery;
  expect(guardians.map(({ role, status }) => [role, status])).toEqual(ROLES.map((role) => [role, 'ACTIVE']));
  for (const [index, { guardian_id, public_key }] of guardians.entries()) {
    expect(guardianWords(holder.id, public_key ?? '')).toEqual(guardiansWords[index]);
    await api.confirmGuardian(holder, guardian_id, public_key ?? '');
  }

  record(page);
  await page.goto('/recover');
  await startRecovery(page, t, domain);
  const newKey = keyOfWords(await keepKeyAsWords(page, t));
  const { links, words } = await sendRecoveryRequest(page, t);
  expect(links).toHaveLength(3);
  await expectScreen(page, t('recover.watch.title', { given: 0 }));
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  await ben.goto(links[1] ?? '');
  await clickThroughRequest(ben, t, domain, words);
  await expectScreen(ben, t('keys.open.foundTitle'));
  await clickButton(ben, t('keys.open.use'));
  await expectScreen(ben, t('confirm.confirm.title', { domain }));
  await expect(ben.getByText(t('confirm.confirm.first'))).toBeVisible();
  await clickButton(ben, t('confirm.confirm.yes'));
  await expectScreen(ben, t('confirm.done.title'));
  await expectScreen(page, t('recover.watch.title', { given: 1 }));
  expect(await api.attempt(holder, '/api/relayer/beo/lock', 'lockBEO')).toMatchObject({ status: 200 });

  const adasNewPhone = await newUser();
  record(adasNewPhone);
  await adasNewPhone.goto(links[0] ?? '');
  await clickThroughRequest(adasNewPhone, t, domain, words);
  await openKeyWithFile(adasNewPhone, t, adasFile);
  await expectScreen(adasNewPhone, t('confirm.confirm.title', { domain }));
  await expect(adasNewPhone.getByText(t('confirm.confirm.second'))).toBeVisible();
  await clickButton(adasNewPhone, t('confirm.confirm.yes'));
  await expectScreen(adasNewPhone, t('confirm.done.executedTitle', { domain }));
  await expectScreen(page, t('recover.done.title', { domain }));
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  expect(await api.identity(holder.id)).toMatchObject({ public_key: newKey.publicKey, key_version: 2 });
  expect(await api.attempt(holder, '/api/relayer/beo/unlock', 'unlockBEO')).toEqual({
    status: 401,
    code: 'INVALID_SIGNATURE',
  });
  await clickButton(page, t('recover.done.unlock.yes'));
  await expect(page.getByText(t('recover.done.unlock.unlocked'))).toBeVisible();
  const recovered = { ...holder, key: newKey };
  expect(await api.attempt(recovered, '/api/relayer/beo/lock', 'lockBEO')).toMatchObject({ status: 200 });

  await clickLink(page, t('recover.done.review'));
  await expectScreen(page, t('recover.consents.title'));
  await expect(page.getByText(t('scope.certLevel.UNCERTIFIED'), { exact: true })).toBeVisible();
  await clickButton(page, `${t('recover.consents.withdraw')} (${clinic.domain})`);
  await expect(page.getByText(t('recover.consents.withdrawn'), { exact: true })).toBeVisible();
  expect((await api.consent(token.token_id)).token.status).toBe('REVOKED');

  expectLinksNotLeaked(requests, [first.url, second.url, ...links]);
  // The recovery page polls the links, and a link that was used to confirm responds with 410.
  await expectPageError(pageErrors, 'status of 410');

  const onNetwork = async () => (await api.identity(holder.id)).ledger.status;
  await expect.poll(onNetwork).toBe('FINAL');
  // Status 3 lists recoveries by unconfirmed guardians. Other tests cause them; the guardians here are confirmed.
  const { status, output } = await verify(baseURL ?? '');
  expect([0, 3]).toContain(status);
  expect(output).toContain('No breach');
  expect(output).not.toContain(holder.id);
});

/** Runs `npm run verify` without the database, whose rows other tests change. @returns its exit status and output */
async function verify(baseURL: string): Promise<{ status: unknown; output: string }> {
  const args = ['server/launch/run.mjs', 'verify', '--api', baseURL, '--allow-private', '--sample', '0'];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: ROOT }, (error, output) => resolve({ status: error?.code ?? 0, output })),
  );
}

/** Accepts on the last screen of an invitation. @returns the six words for the holder */
async function accept(page: Page, { domain }: Holder): Promise<string[]> {
  await expectScreen(page, t('accept.accept.title', { domain }));
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain }));
  const words = page.getByRole('main').locator('ol').getByRole('listitem');
  await expect(words).toHaveCount(6);
  return words.evaluateAll((items) => items.map((item) => item.lastChild?.textContent ?? ''));
}

/** Expects that the token of a link is in no referrer, and in no address but that of its page and API route. */
function expectLinksNotLeaked(requests: readonly Request[], links: readonly string[]): void {
  for (const request of requests) {
    const link = links.find((url) => request.url().includes(tokenOf(url)));
    if (link) expect([new URL(link).pathname, apiPathOf(link)]).toContain(new URL(request.url()).pathname);
    // In Firefox, a worker names its own script to what it imports.
    const { referer = '' } = request.headers();
    if (!referer.includes('/_next/static/')) expect(referer).toBe('');
  }
}
