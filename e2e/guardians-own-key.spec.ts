import type { Page } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Api, type Holder, keyOfSeed, linkFor, newKey } from './api.ts';
import { expect, openClosed, sayIn, test } from './people.ts';
import { expectNowhere, hexOf, listen } from './secrets.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { choice, choose, onScreen, passphrase, press, readInvitation, readRequest, wordsShown } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

/** A key as an SDK has it: 64 hex characters of seed, or 128 of seed and public key. */
function sdkKey() {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const key = keyOfSeed(seed);
  return { key, seed: hexOf(seed), secretKey: hexOf(seed) + key.publicKey };
}

test('guardians with keys of an SDK accept and confirm in the browser, and what is not the key is refused in words', async ({
  page,
  another,
  api,
}, info) => {
  const [ada, ben] = [sdkKey(), sdkKey()];
  const holder = await api.newHolder();
  const [first, second] = await inviteBound(api, holder, [ada.key.publicKey, ben.key.publicKey]);
  const { domain } = holder;

  const sent = listen(page);
  await page.goto(`${first}?step=key`);
  await onScreen(page, say('keys.open.chooseTitle'));
  await survey(page, 'own-key-1-choose', info);
  await choose(page, say('keys.open.code'));
  await onScreen(page, say('keys.open.codeTitle'));
  const purpose = 'guardian';
  for (const [typed, sentence] of [
    ['', say('keys.code.empty')],
    [ada.seed.slice(2), say('keys.code.length', { count: 62 })],
    [ada.secretKey.slice(2), say('keys.code.length', { count: 126 })],
    [ada.seed + ben.key.publicKey, say('keys.code.halves')],
    [ada.key.publicKey, say('keys.code.publicKey', { purpose, domain })],
    [ben.secretKey, say('keys.code.other', { purpose, domain })],
    [`${ada.seed.slice(1)}g`, say('keys.code.foreign')],
  ] as const) {
    await pasteKey(page, typed);
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await survey(page, 'own-key-2-wrong', info);
  await expectNowhere(page, sent, [ada.seed, ben.seed]);
  await pasteKey(page, ` 0x${ada.secretKey.toUpperCase()}\n`);
  await accept(page, holder, ada.key.publicKey);

  const bensBrowser = await another();
  const bens = listen(bensBrowser);
  await bensBrowser.goto(`${second}?step=key`);
  await choose(bensBrowser, say('keys.open.code'));
  await pasteKey(bensBrowser, ben.seed);
  await accept(bensBrowser, holder, ben.key.publicKey);

  const { guardians } = (await api.identity(holder.id)).recovery;
  expect(guardians.map(({ status, public_key }) => [status, public_key])).toEqual([
    ['ACTIVE', ada.key.publicKey],
    ['ACTIVE', ben.key.publicKey],
  ]);

  const { publicKey: newPublicKey } = newKey();
  const request = await api.askForRecovery(holder, newPublicKey);
  const words = request.fingerprint.split(' ');
  for (const [browser, role, secret] of [
    [page, 'primary', ada.seed],
    [bensBrowser, 'secondary', ben.secretKey],
  ] as const) {
    await browser.goto(linkFor(request, role));
    await readRequest(browser, say, domain, words);
    await onScreen(browser, say('keys.open.chooseTitle'));
    await choose(browser, say('keys.open.code'));
    await pasteKey(browser, secret);
    await onScreen(browser, say('confirm.confirm.title', { domain }));
    await press(browser, say('confirm.confirm.yes'));
  }
  await onScreen(bensBrowser, say('confirm.done.executedTitle', { domain }));
  expect((await api.identity(holder.id)).public_key).toBe(newPublicKey);
  await expectNowhere(page, sent, [ada.seed]);
  await expectNowhere(bensBrowser, bens, [ben.seed]);
});

test('an invitation for nobody in particular takes a key that the guardian has, once they have seen its public half', async ({
  page,
  api,
  complaints,
}, info) => {
  const sent = listen(page);
  const own = sdkKey();
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await readInvitation(page, say, holder.domain);
  await press(page, say('accept.key.own'));
  await onScreen(page, say('keys.open.chooseTitle'));
  await choose(page, say('keys.open.code'));
  await pasteKey(page, own.key.publicKey);
  await onScreen(page, say('accept.key.ownTitle'));
  await expect(page.getByText(say('accept.key.ownCompare'))).toBeVisible();
  await survey(page, 'own-key-3-compare', info);
  await press(page, say('accept.key.ownAnother'));
  await press(page, say('accept.key.ownNew'));
  await onScreen(page, say('keys.choose.title'));
  await press(page, say('accept.key.own'));
  await choose(page, say('keys.open.code'));
  await pasteKey(page, holder.key.publicKey);
  await press(page, say('accept.key.ownAnother'));
  await choose(page, say('keys.open.code'));
  await pasteKey(page, own.seed);
  await expect(page.getByText(own.key.publicKey.slice(0, 8))).toBeVisible();
  await press(page, say('accept.key.ownYes'));
  await accept(page, holder, own.key.publicKey);
  await expectNowhere(page, sent, [own.seed]);

  // What was pasted is not kept: the words are shown again only to who pastes it again.
  await openClosed(page, complaints, url, 410);
  await press(page, say('accept.used.show'));
  await choose(page, say('keys.open.code'));
  await pasteKey(page, own.secretKey);
  await expect(page.getByRole('heading', { name: say('accept.done.words') })).toBeVisible();
  expect(await wordsShown(page, say('accept.done.words'))).toEqual(guardianWords(holder.id, own.key.publicKey));
});

test('a key that this browser keeps is offered: one of the person’s own, and one with which they guard somebody else', async ({
  page,
  api,
}, info) => {
  const mine = await newOpenedKey();
  const me = await api.newHolder(keyOfSeed(mine.seed));
  await rememberIn(page, { id: me.id, kind: 'holder', domain: me.domain }, mine);

  const friend = await api.newHolder();
  const [bound] = await inviteBound(api, friend, [mine.publicKey]);
  await page.goto(`${bound}?step=key`);
  await onScreen(page, say('keys.open.chooseTitle'));
  await choose(page, say('keys.open.hereIdentity', { domain: me.domain }));
  await onScreen(page, say('keys.open.hereTitle', { domain: me.domain }));
  await passphrase(page, say).fill('not the passphrase');
  await press(page, say('keys.open.open'));
  await expect(page.getByText(say('keys.problem.passphrase'))).toBeVisible();
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('keys.open.open'));
  await accept(page, friend, mine.publicKey);

  const third = await api.newHolder();
  const { url } = await api.invite(third, 'primary');
  await page.goto(`${url}?step=key`);
  await press(page, say('accept.key.own'));
  await onScreen(page, say('keys.open.chooseTitle'));
  await expect(choice(page, say('keys.open.hereGuardian', { domain: friend.domain }))).toHaveCount(1);
  await survey(page, 'own-key-4-here', info);
  await choose(page, say('keys.open.hereGuardian', { domain: friend.domain }));
  await onScreen(page, say('accept.key.ownTitle'));
  await press(page, say('accept.key.ownYes'));
  await accept(page, third, mine.publicKey);

  // The copy that this browser made of it opens the same key for another who invited it.
  const other = await api.newHolder();
  const [alsoBound] = await inviteBound(api, other, [mine.publicKey]);
  await page.goto(`${alsoBound}?step=key`);
  await onScreen(page, say('keys.open.foundTitle'));
  await expect(page.getByText(say('keys.open.foundSame'))).toBeVisible();
  await press(page, say('keys.open.use'));
  await accept(page, other, mine.publicKey);
});

const pasteKey = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel(say('keys.code.label'), { exact: true }).fill(text.trim());
  await press(page, say('keys.open.open'));
};

/** Accepts on the last screen; the page shows the words of exactly this key. */
async function accept(page: Page, { id, domain }: Holder, publicKey: string): Promise<void> {
  await onScreen(page, say('accept.accept.title', { domain }));
  await press(page, say('accept.accept.yes'));
  await onScreen(page, say('accept.done.title', { domain }));
  expect(await wordsShown(page, say('accept.done.words'))).toEqual(guardianWords(id, publicKey));
}

/** Invites guardians by their keys, as SDKs do. @returns their links */
async function inviteBound(api: Api, holder: Holder, keys: readonly string[]): Promise<string[]> {
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
