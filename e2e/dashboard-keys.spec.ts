import { scryptSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sealKeyFile } from '../app/_keys/key-file.ts';
import {
  newSecret,
  type OpenedKey,
  openedKey,
  openedSecret,
  type Purpose,
  readWords,
  wordsOf,
} from '../app/_keys/secret.ts';
import { keyOfSeed } from './api.ts';
import { expect, overlook, pardon, sayIn, test } from './people.ts';
import { expectNowhere, hexOf, listen } from './secrets.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import {
  choose,
  follow,
  keepAsWords,
  onScreen,
  passphrase,
  pickFile,
  press,
  typeWord,
  wordsAsked,
  wordsShown,
} from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');
const NEW = 'herring lamp quorum Saturday';

/** An authenticator of the browser that has a PRF, as phones and laptops do. */
async function withPasskeys(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function choosePassphrase(page: Page): Promise<void> {
  await onScreen(page, say('session.here.title'));
  await passphrase(page, say).fill(NEW);
  await press(page, say('session.here.submit'));
}

test('somebody who has nothing creates an identity, and opens it with a passkey', async ({
  page,
  api,
  complaints,
}, info) => {
  const sent = listen(page);
  await withPasskeys(page);
  await page.goto('/sign-in');
  await onScreen(page, say('signIn.first'));
  await survey(page, 'sign-in-first', info);
  await page
    .getByRole('link', { name: say('signIn.ways.create') })
    .first()
    .click();

  await onScreen(page, say('create.name.title'));
  const name = page.getByLabel(say('create.name.label'), { exact: true });
  await expect(name).toHaveValue(/^[a-z]+-[a-z]+-[a-z]+-\d\d$/);
  const suggested = await name.inputValue();
  await name.fill('bsp');
  await expect(page.getByText(say('create.name.DOMAIN_RESERVED'))).toBeVisible();
  await name.fill(suggested);
  const domain = `${suggested}.bsp`;
  await expect(page.getByText(say('create.name.free', { domain }))).toBeVisible();
  await survey(page, 'create-name', info);
  await press(page, say('create.name.next'));

  await onScreen(page, say('create.public.title'));
  await survey(page, 'create-public', info);
  await follow(page, say('create.public.next'));
  await onScreen(page, say('keys.choose.title'));
  const words = await keepAsWords(page, say);

  await onScreen(page, say('session.here.title'));
  await page.reload();
  await onScreen(page, say('session.here.title'));
  await survey(page, 'create-here', info);
  await passphrase(page, say).fill('too short');
  await press(page, say('session.here.submit'));
  await expect(page.getByText(say('keys.passphrase.short', { count: 9, minimum: 12 }))).toBeVisible();
  await choosePassphrase(page);

  await onScreen(page, say('create.send.title', { domain }));
  await survey(page, 'create-send', info);
  const operate = '**/api/trpc/operate';
  await page.route(operate, (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await press(page, say('create.send.yes'));
  // The answer was lost on its way; the page found out that the identity is there.
  await onScreen(page, say('session.passkey.title'));
  await pardon(complaints, 'ERR_FAILED');
  await survey(page, 'passkey-offer', info);
  await press(page, say('session.passkey.add'));
  await onScreen(page, say('create.done.title', { domain }));
  await survey(page, 'create-done', info);
  await follow(page, `${say('create.done.pages')} ${say('create.done.pagesWhat')}`);
  await expect(page).toHaveURL(/\/me$/);
  await expect(page.getByText(say('session.isOpen'))).toBeVisible();
  expect((await api.identity(domain)).recovery.confirmed_only).toBe(true);

  const { entropy } = await entropyOf(words);
  await expectNowhere(page, sent, [words.join(' '), hexOf(entropy), hexOf((await openedKey(entropy)).seed)]);
  expect(await draftsIn(page)).toEqual([]);

  await page.reload();
  await expect(page.getByText(say('session.isAway'))).toBeVisible();
  await press(page, say('session.open'));
  await press(page, say('session.unlock.passkey'));
  await expect(page.getByText(say('session.isOpen'))).toBeVisible();
});

test('a key is brought in each of the ways, and what is not the key is refused in words', async ({
  page,
  api,
  complaints,
}, info) => {
  const sent = listen(page);
  const entropy = newSecret();
  const ofWords = await openedKey(entropy);
  const words = await wordsOf(entropy);
  const ofSeed = await openedSecret({ holds: 'seed', bytes: newSecret() });
  const person = await api.newHolder(keyOfSeed(ofWords.seed));
  const clinic = await api.newInstitution(keyOfSeed(ofSeed.seed));
  const seed = hexOf(ofSeed.seed);

  await page.goto('/sign-in/bring');
  await onScreen(page, say('signIn.bring.title'));
  await survey(page, 'bring', info);
  const domain = page.getByLabel(say('signIn.bring.domain'), { exact: true });
  await domain.fill('nobody-at-all');
  await press(page, say('signIn.bring.find'));
  await expect(page.getByText(say('signIn.bring.nobody', { domain: 'nobody-at-all.bsp' }))).toBeVisible();
  overlook(complaints, '404');

  await domain.fill(clinic.domain);
  await press(page, say('signIn.bring.find'));
  await choose(page, say('keys.open.code'));
  const code = page.getByLabel(say('keys.code.label'), { exact: true });
  for (const [typed, sentence] of [
    [seed.slice(2), say('keys.code.length', { count: 62 })],
    [seed + ofWords.publicKey, say('keys.code.halves')],
    [clinic.key.publicKey, say('keys.code.publicKey', { purpose: 'institution', domain: clinic.domain })],
    [hexOf(ofWords.seed), say('keys.code.other', { purpose: 'institution', domain: clinic.domain })],
    ['not a key', say('keys.code.foreign')],
  ] as const) {
    await code.fill(typed);
    await press(page, say('keys.open.open'));
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await survey(page, 'bring-code', info);
  await code.fill(seed + ofSeed.publicKey);
  await press(page, say('keys.open.open'));
  await choosePassphrase(page);
  await expect(page).toHaveURL(/\/institution$/);
  await expect(page.getByText(say('dashboard.backup.title'))).toBeVisible();

  await page.goto(`/sign-in/bring?domain=${person.domain}`);
  await choose(page, say('keys.open.words'));
  const first = page.getByRole('combobox', { name: say('keys.word', { number: 1 }), exact: true });
  await first.focus();
  await page.evaluate((text) => {
    const paste = new DataTransfer();
    paste.setData('text', text);
    document.execCommand('insertText', false, text);
  }, words.join(' '));
  await press(page, say('keys.open.wordsOpen'));
  await choosePassphrase(page);
  await expect(page).toHaveURL(/\/me$/);
  await expect(page.getByText(say('dashboard.backup.title'))).toBeHidden();

  await page.goto('/sign-in');
  await onScreen(page, say('signIn.title'));
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([person.domain, clinic.domain]);
  await survey(page, 'sign-in-known', info);
  await page.getByRole('button', { name: say('signIn.known.forgetOf', { domain: clinic.domain }) }).click();
  await expect(page.getByText(say('safety.forget.noBackupTitle'))).toBeVisible();
  await press(page, say('safety.forget.anyway'));
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([person.domain]);

  await page.goto('/sign-in/bring');
  await choose(page, say('signIn.bring.file'));
  const stranger = await fileOf(await newOpenedKey(), 'guardian', person.domain);
  await pickFile(page, say, { name: 'guardian.json', text: stranger });
  await expect(page.getByText(say('signIn.bring.guardianFile', { domain: person.domain }))).toBeVisible();
  await pickFile(page, say, { name: 'photo.json', text: 'a photo' });
  await expect(page.getByText(say('keys.problem.foreign'))).toBeVisible();
  await pickFile(page, say, { name: 'key.json', text: await fileOf(ofWords, 'holder', person.domain) });
  await onScreen(page, say('signIn.bring.fileOf', { domain: person.domain }));
  await passphrase(page, say).fill('not the right one');
  await press(page, say('keys.open.open'));
  await expect(page.getByText(say('keys.problem.passphrase'))).toBeVisible();
  await survey(page, 'bring-file', info);
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('keys.open.open'));
  await onScreen(page, say('session.here.title'));

  await expectNowhere(page, sent, [words.join(' '), hexOf(entropy), hexOf(ofWords.seed), seed, NEW]);
});

test('the key is put away after a while, replaced, and in the end the identity is destroyed', async ({
  page,
  api,
  complaints,
}, info) => {
  const sent = listen(page);
  const key = await newOpenedKey();
  const before = keyOfSeed(key.seed);
  const { id, domain } = await api.newHolder(before);
  await page.clock.install();
  await rememberIn(page, { id, kind: 'holder', domain, backedUp: false }, key);

  await page.goto('/me/safety');
  await onScreen(page, say('safety.title'));
  await expect(page.getByText(say('safety.backup.noneTitle'))).toBeVisible();
  await survey(page, 'safety', info);
  await press(page, say('session.open'));
  await unlock(page);
  await expect(page.getByText(say('session.isOpen')).first()).toBeVisible();
  await page.clock.fastForward('10:06');
  await expect(page.getByText(say('session.isAway')).first()).toBeVisible();

  await press(page, say('safety.backup.make'));
  await unlock(page);
  await choose(page, say('keys.choose.words'));
  await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  await page.clock.fastForward('10:06');
  await expect(page.getByRole('list', { name: say('keys.write.list') })).toHaveCount(0);

  // Leaving the page puts it away too: a browser may keep the page for its back button.
  await press(page, say('session.open'));
  await unlock(page);
  await expect(page.getByText(say('session.isOpen')).first()).toBeVisible();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await expect(page.getByText(say('session.isAway')).first()).toBeVisible();

  await press(page, say('safety.replace.begin'));
  await survey(page, 'replace', info);
  await press(page, say('safety.replace.make'));
  const words = await keepInPart(page);
  await passphrase(page, say).fill(NEW);
  await press(page, say('session.here.submit'));
  await expect(page.getByRole('heading', { name: say('safety.replace.signTitle', { domain }) })).toBeVisible();
  await survey(page, 'replace-sign', info);
  await press(page, say('safety.replace.yes'));
  await unlock(page);
  await expect(page.getByText(say('safety.replace.done', { domain }))).toBeVisible();
  const { entropy } = await entropyOf(words);
  const after = await openedKey(entropy);
  expect((await api.identity(id)).public_key).toBe(after.publicKey);
  await expect(page.getByText(say('dashboard.backup.title'))).toBeHidden();
  expect(await draftsIn(page)).toEqual([]);

  await page.getByRole('link', { name: say('safety.destroy.begin') }).click();
  await onScreen(page, say('safety.destroy.goes.title', { domain }));
  await survey(page, 'destroy-goes', info);
  await follow(page, say('safety.destroy.next'));
  await onScreen(page, say('safety.destroy.stays.title'));
  await survey(page, 'destroy-stays', info);
  await follow(page, say('safety.destroy.next'));
  await onScreen(page, say('safety.destroy.export.title'));
  await survey(page, 'destroy-export', info);
  await follow(page, say('safety.destroy.export.without'));
  await onScreen(page, say('safety.destroy.confirm.title', { domain }));
  const sure = page.getByLabel(say('safety.destroy.confirm.label', { domain }));
  await sure.fill('something else');
  await press(page, say('safety.destroy.confirm.yes'));
  await expect(page.getByText(say('safety.destroy.confirm.wrong', { domain }))).toBeVisible();
  await survey(page, 'destroy-confirm', info);
  await sure.fill(domain);
  await press(page, say('safety.destroy.confirm.yes'));
  await onScreen(page, say('safety.destroy.done.title', { domain }));
  // The clock of the page was turned on: what it signed first came from the future.
  overlook(complaints, '400');
  await survey(page, 'destroy-done', info);
  expect((await api.identity(id)).status).toBe('DESTROYED');
  await expectNowhere(page, sent, [words.join(' '), hexOf(entropy), hexOf(after.seed), hexOf(key.secret.bytes)]);

  await page
    .getByRole('main')
    .getByRole('button', { name: say('safety.destroy.done.forget') })
    .last()
    .click();
  await onScreen(page, say('signIn.first'));
});

/** Opens the key in the dialogue, with the passphrase it is kept under. */
async function unlock(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('keys.passphrase.label'), { exact: true }).fill(PASSPHRASE);
  await dialog.getByRole('button', { name: say('session.unlock.open'), exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Keeps the new key as words, among other parts of a page. */
async function keepInPart(page: Page): Promise<string[]> {
  await choose(page, say('keys.choose.words'));
  const list = say('keys.write.list');
  await expect(page.getByRole('list', { name: list, exact: true }).getByRole('listitem')).toHaveCount(24);
  const words = await wordsShown(page, list);
  await press(page, say('keys.write.written'));
  for (const { label, word } of await wordsAsked(page, words)) await typeWord(page, label, word);
  await press(page, say('keys.ask.check'));
  await press(page, say('keys.next'));
  return words;
}

async function entropyOf(words: readonly string[]): Promise<{ entropy: Uint8Array }> {
  const read = await readWords(words);
  if ('problem' in read) throw new Error(`Not a key: ${read.problem.kind}`);
  return read;
}

/** As cheap to open as the product allows. */
const COST = { N: 2 ** 14, r: 8, p: 1 };

function fileOf({ secret, publicKey }: OpenedKey, purpose: Purpose, beoDomain: string): Promise<string> {
  const derive = async ({ passphrase, salt }: { passphrase: string; salt: Uint8Array }) =>
    scryptSync(passphrase, salt, 32, COST);
  const content = { secret, publicKey, purpose, beoDomain, createdAt: new Date() };
  return sealKeyFile(content, PASSPHRASE, { derive, cost: COST });
}

/** Names of the keys that the browser keeps without a passphrase. */
const draftsIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('perpetua-keys', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('copies');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const asked = database.transaction('copies').objectStore('copies').getAllKeys();
    return new Promise<string[]>((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result.map(String));
      asked.onerror = () => reject(asked.error);
    });
  });
