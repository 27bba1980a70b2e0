import type { Page } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Api, type Holder, keyOfSeed, linkFor, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, openWithStatus, test, translatorFor } from './fixtures.ts';
import { PASSPHRASE } from './key-files.ts';
import {
  chooseOption,
  clickButton,
  clickThroughInvitation,
  clickThroughRequest,
  expectScreen,
  listedWords,
  optionButton,
  passphraseField,
} from './page-actions.ts';
import { expectNoSecrets, hexOf, recordRequests } from './secrets.ts';
import { newOpenedKey, storeIdentity } from './stored-identity.ts';

const t = translatorFor('en');

/** A key in the formats of an SDK: 64 hex characters of seed, or 128 of seed and public key. */
function newSdkKey() {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = keyOfSeed(seed);
  return { key, seed: hexOf(seed), secretKey: hexOf(seed) + key.publicKey };
}

test('a key of this browser whose copy is put off is not offered to a guardian @long', async ({ page, api }) => {
  const [copied, uncopied] = [await newOpenedKey(), await newOpenedKey()];
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await storeIdentity(page, { id: crypto.randomUUID(), kind: 'holder', domain: 'copied.bsp' }, copied);
  const putOff = { backedUp: false, copyBy: new Date().toISOString() };
  await storeIdentity(page, { id: crypto.randomUUID(), kind: 'holder', domain: 'fresh.bsp', ...putOff }, uncopied);
  await page.goto(`${url}?step=key`);
  await clickButton(page, t('accept.key.own'));
  await expect(optionButton(page, t('keys.open.hereIdentity', { domain: 'copied.bsp' }))).toHaveCount(1);
  await expect(optionButton(page, t('keys.open.hereIdentity', { domain: 'fresh.bsp' }))).toHaveCount(0);
});

test('guardians with keys of an SDK accept and confirm in the browser, and a wrong key is refused with a reason @long', async ({
  page,
  newUser,
  api,
}, info) => {
  const [ada, ben] = [newSdkKey(), newSdkKey()];
  const holder = await api.newHolder();
  const [adasUrl, bensUrl] = await inviteByKey(api, holder, [ada.key.publicKey, ben.key.publicKey]);
  const { domain } = holder;

  const sent = recordRequests(page);
  await page.goto(`${adasUrl}?step=key`);
  await expectScreen(page, t('keys.open.chooseTitle'));
  await checkScreen(page, 'own-key-1-choose', info);
  await chooseOption(page, t('keys.open.code'));
  await expectScreen(page, t('keys.open.codeTitle'));
  const purpose = 'guardian';
  for (const [typed, sentence] of [
    ['', t('keys.code.empty')],
    [ada.seed.slice(2), t('keys.code.length', { count: 62 })],
    [ada.secretKey.slice(2), t('keys.code.length', { count: 126 })],
    [ada.seed + ben.key.publicKey, t('keys.code.halves')],
    [ada.key.publicKey, t('keys.code.publicKey', { purpose, domain })],
    [ben.secretKey, t('keys.code.other', { purpose, domain })],
    [`${ada.seed.slice(1)}g`, t('keys.code.foreign')],
  ] as const) {
    await pasteKey(page, typed);
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await checkScreen(page, 'own-key-2-wrong', info);
  await expectNoSecrets(page, sent, [ada.seed, ben.seed]);
  await pasteKey(page, ` 0x${ada.secretKey.toUpperCase()}\n`);
  await accept(page, holder, ada.key.publicKey);

  const bensBrowser = await newUser();
  const sentByBen = recordRequests(bensBrowser);
  await bensBrowser.goto(`${bensUrl}?step=key`);
  await chooseOption(bensBrowser, t('keys.open.code'));
  await pasteKey(bensBrowser, ben.seed);
  await accept(bensBrowser, holder, ben.key.publicKey);

  const { guardians } = (await api.identity(holder.id)).recovery;
  expect(guardians.map(({ status, public_key }) => [status, public_key])).toEqual([
    ['ACTIVE', ada.key.publicKey],
    ['ACTIVE', ben.key.publicKey],
  ]);

  const { publicKey: newPublicKey } = newKey();
  const request = await api.requestRecovery(holder, newPublicKey);
  const words = request.fingerprint.split(' ');
  for (const [browser, role, secret] of [
    [page, 'primary', ada.seed],
    [bensBrowser, 'secondary', ben.secretKey],
  ] as const) {
    await browser.goto(linkFor(request, role));
    await clickThroughRequest(browser, t, domain, words);
    await expectScreen(browser, t('keys.open.chooseTitle'));
    await chooseOption(browser, t('keys.open.code'));
    await pasteKey(browser, secret);
    await expectScreen(browser, t('confirm.confirm.title', { domain }));
    await clickButton(browser, t('confirm.confirm.yes'));
  }
  await expectScreen(bensBrowser, t('confirm.done.executedTitle', { domain }));
  expect((await api.identity(holder.id)).public_key).toBe(newPublicKey);
  await expectNoSecrets(page, sent, [ada.seed]);
  await expectNoSecrets(bensBrowser, sentByBen, [ben.seed]);
});

test('an invitation without a key accepts a key that the guardian already has, after showing its public key @long', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const sent = recordRequests(page);
  const ownKey = newSdkKey();
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await clickThroughInvitation(page, t, holder.domain);
  await clickButton(page, t('accept.key.own'));
  await expectScreen(page, t('keys.open.chooseTitle'));
  await chooseOption(page, t('keys.open.code'));
  await pasteKey(page, ownKey.key.publicKey);
  await expectScreen(page, t('accept.key.ownTitle'));
  await expect(page.getByText(t('accept.key.ownCompare'))).toBeVisible();
  await checkScreen(page, 'own-key-3-compare', info);
  await clickButton(page, t('accept.key.ownAnother'));
  await clickButton(page, t('accept.key.ownNew'));
  await expectScreen(page, t('keys.choose.title'));
  await clickButton(page, t('accept.key.own'));
  await chooseOption(page, t('keys.open.code'));
  await pasteKey(page, holder.key.publicKey);
  await clickButton(page, t('accept.key.ownAnother'));
  await chooseOption(page, t('keys.open.code'));
  await pasteKey(page, ownKey.seed);
  await expect(page.getByText(ownKey.key.publicKey.slice(0, 8))).toBeVisible();
  await clickButton(page, t('accept.key.ownYes'));
  await accept(page, holder, ownKey.key.publicKey);
  await expectNoSecrets(page, sent, [ownKey.seed]);

  // A pasted key is not stored, so that showing the words again requires it again.
  await openWithStatus(page, pageErrors, url, 410);
  await clickButton(page, t('accept.used.show'));
  await chooseOption(page, t('keys.open.code'));
  await pasteKey(page, ownKey.secretKey);
  await expect(page.getByRole('heading', { name: t('accept.done.words') })).toBeVisible();
  expect(await listedWords(page, t('accept.done.words'))).toEqual(guardianWords(holder.id, ownKey.key.publicKey));
});

test('the keys that this browser stores are offered: those of identities and those of guardians @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const self = await api.newHolder(keyOfSeed(key.seed));
  await storeIdentity(page, { id: self.id, kind: 'holder', domain: self.domain }, key);

  const friend = await api.newHolder();
  const [friendUrl] = await inviteByKey(api, friend, [key.publicKey]);
  await page.goto(`${friendUrl}?step=key`);
  await expectScreen(page, t('keys.open.chooseTitle'));
  await chooseOption(page, t('keys.open.hereIdentity', { domain: self.domain }));
  await expectScreen(page, t('keys.open.hereTitle', { domain: self.domain }));
  await passphraseField(page, t).fill('not the passphrase');
  await clickButton(page, t('keys.open.open'));
  await expect(page.getByText(/That isn’t the passphrase you chose for this browser on/)).toBeVisible();
  await passphraseField(page, t).fill(PASSPHRASE);
  await clickButton(page, t('keys.open.open'));
  await accept(page, friend, key.publicKey);

  const second = await api.newHolder();
  const { url } = await api.invite(second, 'primary');
  await page.goto(`${url}?step=key`);
  await clickButton(page, t('accept.key.own'));
  await expectScreen(page, t('keys.open.chooseTitle'));
  await expect(optionButton(page, t('keys.open.hereGuardian', { domain: friend.domain }))).toHaveCount(1);
  await checkScreen(page, 'own-key-4-here', info);
  await chooseOption(page, t('keys.open.hereGuardian', { domain: friend.domain }));
  await expectScreen(page, t('accept.key.ownTitle'));
  await clickButton(page, t('accept.key.ownYes'));
  await accept(page, second, key.publicKey);

  // The browser's copy of the guardian key also opens for another holder who invited this key.
  const third = await api.newHolder();
  const [thirdUrl] = await inviteByKey(api, third, [key.publicKey]);
  await page.goto(`${thirdUrl}?step=key`);
  await expectScreen(page, t('keys.open.foundTitle'));
  await expect(page.getByText(t('keys.open.foundSame'))).toBeVisible();
  await clickButton(page, t('keys.open.use'));
  await accept(page, third, key.publicKey);
});

const pasteKey = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel(t('keys.code.label'), { exact: true }).fill(text.trim());
  await clickButton(page, t('keys.open.open'));
};

/** Accepts on the last screen, which shows the words of this key. */
async function accept(page: Page, { id, domain }: Holder, publicKey: string): Promise<void> {
  await expectScreen(page, t('accept.accept.title', { domain }));
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain }));
  expect(await listedWords(page, t('accept.done.words'))).toEqual(guardianWords(id, publicKey));
}

/** Invites guardians by their public keys, as SDKs do. @returns their links */
async function inviteByKey(api: Api, holder: Holder, keys: readonly string[]): Promise<string[]> {
  const roles = ['primary', 'secondary', 'tertiary'];
  const guardians = keys.map((publicKey, index) => ({
    name: `Guardian ${index + 1}`,
    contact: `guardian-${index + 1}@example.org`,
    public_key: publicKey,
    role: roles[index] ?? '',
  }));
  const { invitations } = await api.configure(holder, { guardians });
  return invitations.map(({ url }) => url);
}
