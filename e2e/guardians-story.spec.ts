import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Holder, keyOfWords, ROLES } from './api.ts';
import { expect, pardon, sayIn, test } from './people.ts';
import {
  askGuardians,
  findIdentity,
  follow,
  keepAsFile,
  keepAsWords,
  onScreen,
  openFile,
  press,
  readInvitation,
  readRequest,
} from './steps.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const say = sayIn('en');
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

test('a holder who has lost everything gets the identity back with two of three guardians, and with nobody else', async ({
  page,
  another,
  api,
  complaints,
  baseURL,
}) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const clinic = await api.newInstitution();
  const { token } = await api.grant(holder, clinic.id);
  const first = await api.invite(holder, 'primary');
  const second = await api.invite(holder, 'secondary');
  const third = await api.invite(holder, 'tertiary');
  const asked: Request[] = [];
  const note = (somebody: Page) => somebody.on('request', (request) => asked.push(request));

  const ada = await another();
  note(ada);
  await ada.goto(first.url);
  await readInvitation(ada, say, domain);
  const adasFile = await keepAsFile(ada, say);
  const adasWords = await accept(ada, holder);

  const ben = await another();
  note(ben);
  await ben.goto(second.url);
  await readInvitation(ben, say, domain);
  await keepAsWords(ben, say);
  const bensWords = await accept(ben, holder);

  const cleo = await api.accept(holder, third);
  const heard = [adasWords, bensWords, guardianWords(holder.id, cleo.key.publicKey)];
  const { guardians } = (await api.identity(holder.id)).recovery;
  expect(guardians.map(({ role, status }) => [role, status])).toEqual(ROLES.map((role) => [role, 'ACTIVE']));
  for (const [index, { guardian_id, public_key }] of guardians.entries()) {
    expect(guardianWords(holder.id, public_key ?? '')).toEqual(heard[index]);
    await api.confirmGuardian(holder, guardian_id, public_key ?? '');
  }

  note(page);
  await page.goto('/recover');
  await findIdentity(page, say, domain);
  const newKey = keyOfWords(await keepAsWords(page, say));
  const { links, words } = await askGuardians(page, say);
  expect(links).toHaveLength(3);
  await onScreen(page, say('recover.watch.title', { given: 0 }));
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  await ben.goto(links[1] ?? '');
  await readRequest(ben, say, domain, words);
  await onScreen(ben, say('keys.open.foundTitle'));
  await press(ben, say('keys.open.use'));
  await onScreen(ben, say('confirm.confirm.title', { domain }));
  await expect(ben.getByText(say('confirm.confirm.first'))).toBeVisible();
  await press(ben, say('confirm.confirm.yes'));
  await onScreen(ben, say('confirm.done.title'));
  await onScreen(page, say('recover.watch.title', { given: 1 }));
  expect(await api.attempt(holder, '/api/relayer/beo/lock', 'lockBEO')).toMatchObject({ status: 200 });

  const adasNewPhone = await another();
  note(adasNewPhone);
  await adasNewPhone.goto(links[0] ?? '');
  await readRequest(adasNewPhone, say, domain, words);
  await openFile(adasNewPhone, say, adasFile);
  await onScreen(adasNewPhone, say('confirm.confirm.title', { domain }));
  await expect(adasNewPhone.getByText(say('confirm.confirm.second'))).toBeVisible();
  await press(adasNewPhone, say('confirm.confirm.yes'));
  await onScreen(adasNewPhone, say('confirm.done.executedTitle', { domain }));
  await onScreen(page, say('recover.done.title', { domain }));
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  expect(await api.identity(holder.id)).toMatchObject({ public_key: newKey.publicKey, key_version: 2 });
  expect(await api.attempt(holder, '/api/relayer/beo/unlock', 'unlockBEO')).toEqual({
    status: 401,
    code: 'INVALID_SIGNATURE',
  });
  await press(page, say('recover.done.unlock.yes'));
  await expect(page.getByText(say('recover.done.unlock.unlocked'))).toBeVisible();
  const recovered = { ...holder, key: newKey };
  expect(await api.attempt(recovered, '/api/relayer/beo/lock', 'lockBEO')).toMatchObject({ status: 200 });

  await follow(page, say('recover.done.review'));
  await onScreen(page, say('recover.consents.title'));
  await expect(page.getByText(say('scope.certLevel.UNCERTIFIED'), { exact: true })).toBeVisible();
  await press(page, `${say('recover.consents.withdraw')} (${clinic.domain})`);
  await expect(page.getByText(say('recover.consents.withdrawn'), { exact: true })).toBeVisible();
  expect((await api.consent(token.token_id)).token.status).toBe('REVOKED');

  expectLinksKept(asked, [first.url, second.url, ...links]);
  // The page of the recovery asks how the links stand; one by which somebody has confirmed is gone.
  await pardon(complaints, 'status of 410');

  const onNetwork = async () => (await api.identity(holder.id)).ledger.status;
  await expect.poll(onNetwork).toBe('FINAL');
  // Other tests recover by guardians whom nobody has confirmed; this one does not, and is not listed.
  const { status, said } = await verify(baseURL ?? '');
  expect([0, 3]).toContain(status);
  expect(said).toContain('No breach');
  expect(said).not.toContain(holder.id);
});

/** What `npm run verify` says of the ledger, and its exit status. Other tests change rows of the database, so it is not compared. */
async function verify(baseURL: string): Promise<{ status: unknown; said: string }> {
  const args = ['server/run.mjs', 'verify', '--api', baseURL, '--sample', '0'];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: ROOT }, (error, said) => resolve({ status: error?.code ?? 0, said })),
  );
}

/** Accepts, on the last screen. @returns the six words for the holder */
async function accept(page: Page, { domain }: Holder): Promise<string[]> {
  await onScreen(page, say('accept.accept.title', { domain }));
  await press(page, say('accept.accept.yes'));
  await onScreen(page, say('accept.done.title', { domain }));
  const words = page.getByRole('main').locator('ol').getByRole('listitem');
  await expect(words).toHaveCount(6);
  return words.evaluateAll((items) => items.map((item) => item.lastChild?.textContent ?? ''));
}

/** A token stands in the address of its own page and of what is sent there, and in no other address and no referrer. */
function expectLinksKept(asked: readonly Request[], links: readonly string[]): void {
  for (const request of asked) {
    const link = links.find((url) => request.url().includes(tokenOf(url)));
    if (link) expect(new URL(request.url()).pathname).toBe(new URL(link).pathname);
    expect(request.headers().referer ?? '').toBe('');
  }
}
