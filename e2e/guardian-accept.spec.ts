import type { Page } from '@playwright/test';
import { withLine } from '../app/_ui/link-line.ts';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Api, type Holder, keyOfWords } from './api.ts';
import { checkScreen, saveScreenshot } from './check-screen.ts';
import { expect, expectPageError, NO_RESPONSE, openWithStatus, test, translatorFor } from './fixtures.ts';
import { newGuardianKey } from './key-files.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  clickThroughInvitation,
  createKeyFile,
  disconnect,
  expectScreen,
  isPathOf,
  keepKeyAsWords,
  listedWords,
  loseResponse,
  onPost,
  passphraseField,
  selectKeyFile,
  typeWord,
  wordsToCheck,
} from './page-actions.ts';
import { expireInvitations } from './product-database.ts';
import { recordRequests, unencryptedKeys } from './secrets.ts';

const t = translatorFor('en');
const UNREACHABLE = t('guardian.errors.UNREACHABLE');

test('the screens of an invitation up to the key are accessible @long', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  const check = (name: string) => checkScreen(page, `accept-${name}`, testInfo);

  const sent = recordRequests(page);
  await page.goto(withLine(url, 'Ana, from the choir'));
  await expectScreen(page, t('accept.who.title', { domain }));
  await expect(page.getByRole('blockquote')).toHaveText('Ana, from the choir');
  await expect(page.getByText(t('accept.who.anyone'))).toBeVisible();
  await expect(page).toHaveTitle(`${t('accept.title')} – Perpetua`);
  await check('1-who');
  await clickLink(page, t('accept.who.unsure'));
  await expectScreen(page, t('accept.ask.title'));
  await check('1-ask');
  await clickLink(page, t('accept.decline'));
  await expectScreen(page, t('accept.no.title'));
  await check('1-no');
  await clickLink(page, t('accept.no.again'));
  await clickLink(page, t('accept.who.yes'));
  await expectScreen(page, t('accept.what.title'));
  await check('2-what');
  await clickLink(page, t('guardian.continue'));
  await expectScreen(page, t('accept.day.title'));
  await check('3-day');
  await clickLink(page, t('accept.day.next'));
  await expectScreen(page, t('keys.choose.title'));
  await check('4-key');
  expect(sent.filter((text) => text.includes('choir'))).toEqual([]);
});

test('the screens that keep a key as a file are accessible @long', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'secondary');
  const check = (name: string) => checkScreen(page, `keep-${name}`, testInfo);

  await page.goto(`${url}?step=key`);
  await chooseOption(page, t('keys.choose.file'));
  await expectScreen(page, t('keys.passphrase.title'));
  await clickButton(page, t('keys.passphrase.make'));
  await expect(page.getByText(t('keys.passphrase.short', { count: 0, minimum: 12 }))).toBeVisible();
  await check('file-1-passphrase');
  await clickButton(page, t('keys.anotherWay'));
  const file = await createKeyFile(page, t);
  await check('file-2-save');
  await clickButton(page, t('keys.save.saved'));
  await expectScreen(page, t('keys.check.title'));
  await clickButton(page, t('keys.check.open'));
  await expect(page.getByText(t('keys.problem.noFile'))).toBeVisible();
  await check('file-3-check');
  await selectKeyFile(page, t, file);
  await passphraseField(page, t).fill(file.passphrase);
  await clickButton(page, t('keys.check.open'));
  await expectScreen(page, t('keys.kept.title'));
  await check('file-4-kept');
  await page.emulateMedia({ media: 'print' });
  await saveScreenshot(page, 'keep-file-card', testInfo);
  await page.emulateMedia({ media: 'screen' });
  await clickButton(page, t('keys.next'));
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  await check('then-accept');
});

test('the screens that keep a key as words are accessible @long', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'tertiary');
  const check = (name: string) => checkScreen(page, `keep-${name}`, testInfo);

  await page.goto(`${url}?step=key`);
  await chooseOption(page, t('keys.choose.words'));
  await expectScreen(page, t('keys.write.title'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  await check('words-1-write');
  await clickButton(page, t('keys.write.written'));
  await expectScreen(page, t('keys.ask.title'));
  await clickButton(page, t('keys.ask.check'));
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await check('words-2-ask');
  await clickButton(page, t('keys.ask.again'));
  await clickButton(page, t('keys.anotherWay'));
  await keepKeyAsWords(page, t);
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
  await expect(page.getByRole('main').locator('ol').getByRole('listitem')).toHaveCount(6);
  await check('then-done');
});

test('after a lost connection, a guardian accepts with the key that was kept @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder, url, key } = await readyToAccept(page, api);
  await page.route(isPathOf(url), onPost(disconnect));
  await clickButton(page, t('accept.accept.yes'));
  await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
  await expectPageError(pageErrors, NO_RESPONSE);
  await page.unrouteAll();
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
  expect(await registeredKey(api, holder)).toBe(key.publicKey);
});

test('after a lost response, trying again and reloading show that the invitation was accepted @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder, url, key } = await readyToAccept(page, api);
  await page.route(isPathOf(url), onPost(loseResponse));
  await clickButton(page, t('accept.accept.yes'));
  await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
  await expectPageError(pageErrors, NO_RESPONSE);
  await page.unrouteAll();
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
  await expectPageError(pageErrors, 'status of 409');
  expect(await registeredKey(api, holder)).toBe(key.publicKey);
  await openWithStatus(page, pageErrors, url, 410);
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
});

test('the key that was drafted for an invitation is deleted once the invitation is over @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const holder = await api.newHolder();
  for (const role of ['primary', 'secondary'] as const) {
    const invitation = await api.invite(holder, role);
    await page.goto(invitation.url);
    await clickThroughInvitation(page, t, holder.domain);
    await expectScreen(page, t('keys.choose.title'));
    expect(await unencryptedKeys(page)).toEqual([`draft:${invitation.invitation_id}`]);
    if (role === 'primary') await api.accept(holder, invitation);
    else await expireInvitations(holder.id);
    await openWithStatus(page, pageErrors, invitation.url, 410);
    await expect.poll(() => unencryptedKeys(page)).toEqual([]);
  }
});

test('a used invitation shows the six words again to the guardian who opens the accepting key', async ({
  page,
  api,
  pageErrors,
}, testInfo) => {
  const holder = await api.newHolder();
  const invitation = await api.invite(holder, 'primary');
  const { key, words } = await newGuardianKey();
  await api.accept(holder, invitation, key);
  await openWithStatus(page, pageErrors, invitation.url, 410);
  await clickButton(page, t('accept.used.show'));
  await chooseOption(page, t('keys.open.words'));
  await page.getByRole('combobox', { name: t('keys.word', { number: 1 }), exact: true }).fill(words.join(' '));
  await clickButton(page, t('keys.open.wordsOpen'));
  await expect(page.getByRole('heading', { name: t('accept.done.words') })).toBeFocused();
  expect(await listedWords(page, t('accept.done.words'))).toEqual(guardianWords(holder.id, key.publicKey));
  await checkScreen(page, 'invitation-used-words', testInfo);
});

test('a reload keeps the generated key, before and after it was kept @long', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await clickThroughInvitation(page, t, holder.domain);
  await chooseOption(page, t('keys.choose.words'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const before = await listedWords(page, t('keys.write.list'));
  await page.reload();
  await expectScreen(page, t('keys.choose.title'));
  expect(await keepKeyAsWords(page, t)).toEqual(before);
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  await page.reload();
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.done.title', { domain: holder.domain }));
});

test('an invitation that was accepted or locked in the meantime is reported @long', async ({
  page,
  newUser,
  api,
  pageErrors,
}) => {
  const holder = await api.newHolder();
  const first = await api.invite(holder, 'primary');
  const second = await api.invite(holder, 'secondary');
  await page.goto(first.url);
  await clickThroughInvitation(page, t, holder.domain);
  await keepKeyAsWords(page, t);
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  await api.accept(holder, first);
  await clickButton(page, t('accept.accept.yes'));
  await expectScreen(page, t('accept.used.title'));
  await expectPageError(pageErrors, 'status of 410');

  const secondUser = await newUser();
  await secondUser.goto(second.url);
  await clickThroughInvitation(secondUser, t, holder.domain);
  await keepKeyAsWords(secondUser, t);
  await api.lock(holder);
  await clickButton(secondUser, t('accept.accept.yes'));
  await expectScreen(secondUser, t('accept.locked.title', { domain: holder.domain }));
  await expectPageError(pageErrors, 'status of 423');
});

test('a wrong repeated word is refused, and the words can be shown again @long', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await clickThroughInvitation(page, t, holder.domain);
  await chooseOption(page, t('keys.choose.words'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const words = await listedWords(page, t('keys.write.list'));
  await clickButton(page, t('keys.write.written'));
  const [first, second] = await wordsToCheck(page, words);
  const numberOf = (label = '') => Number(/\d+/.exec(label)?.[0]);
  await typeWord(page, first?.label ?? '', first?.word ?? '');
  await typeWord(page, second?.label ?? '', second?.word === 'zebra' ? 'abandon' : 'zebra');
  await clickButton(page, t('keys.ask.check'));
  const refusal = t('keys.ask.wrong', { count: 1, positions: String(numberOf(second?.label)) });
  await expect(page.getByRole('alert').filter({ hasText: refusal })).toBeVisible();
  await expect(page.getByRole('combobox', { name: second?.label ?? '', exact: true })).toBeFocused();
  await clickButton(page, t('keys.ask.again'));
  expect(await listedWords(page, t('keys.write.list'))).toEqual(words);
});

/** A guardian on the last screen of an invitation, whose key is kept. */
async function readyToAccept(page: Page, api: Api) {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await clickThroughInvitation(page, t, holder.domain);
  const words = await keepKeyAsWords(page, t);
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  return { holder, url, key: keyOfWords(words) };
}

const registeredKey = async (api: Api, { id }: Holder) => (await api.identity(id)).recovery.guardians[0]?.public_key;
