import type { Request } from '@playwright/test';
import { type Api, type Guardian, linkFor, newKey } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, NO_RESPONSE, openWithStatus, test, translatorFor } from './fixtures.ts';
import { delayScripts } from './hydration.ts';
import { newGuardianKey } from './key-files.ts';
import {
  chooseOption,
  clickButton,
  clickLink,
  clickThroughRequest,
  dayOfFile,
  disconnect,
  expectScreen,
  isPathOf,
  loseResponse,
  onPost,
  openKeyWithWords,
  passphraseField,
  selectKeyFile,
  typeSixWords,
} from './page-actions.ts';
import { newStoredHolder } from './stored-identity.ts';

const t = translatorFor('en');
const UNREACHABLE = t('guardian.errors.UNREACHABLE');

test('the screens of a recovery request are accessible @long', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const guardianKey = await newGuardianKey();
  await api.accept(holder, await api.invite(holder, 'primary'), guardianKey.key);
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const request = await api.requestRecovery(holder, newKey().publicKey);
  const check = (name: string) => checkScreen(page, `confirm-${name}`, testInfo);

  await page.goto(linkFor(request, 'primary'));
  await expectScreen(page, t('confirm.ask.title', { domain }));
  await check('1-ask');
  await clickLink(page, t('confirm.doubt'));
  await expectScreen(page, t('confirm.stop.title'));
  await check('1-stop');
  await clickLink(page, t('confirm.stop.again'));
  await clickLink(page, t('guardian.continue'));
  await expectScreen(page, t('confirm.call.title'));
  await check('2-call');
  await clickLink(page, t('confirm.call.ready'));
  await expectScreen(page, t('confirm.words.title'));
  const first = page.getByRole('combobox').first();
  await first.fill('abandon zebra abandon zebra abandon zebra');
  await clickButton(page, t('confirm.words.check'));
  await expect(page.getByText(t('confirm.words.mismatch'))).toBeVisible();
  await first.fill('');
  await first.pressSequentially('ab');
  await expect(page.getByRole('option').first()).toBeVisible();
  await check('3-words');
  await typeSixWords(page, t, request.fingerprint.split(' '));
  await clickButton(page, t('confirm.words.check'));
  await expectScreen(page, t('keys.open.chooseTitle'));
  await check('4-key');
  await clickButton(page, t('keys.open.neither'));
  await expectScreen(page, t('keys.open.neitherTitle'));
  await check('4-neither');
  await clickButton(page, t('keys.anotherWay'));
  await chooseOption(page, t('keys.open.file'));
  await expectScreen(page, t('keys.open.fileTitle'));
  await check('4-file');
  await clickButton(page, t('keys.anotherWay'));
  await chooseOption(page, t('keys.open.words'));
  await clickButton(page, t('keys.open.wordsOpen'));
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await check('4-words');
  await clickButton(page, t('keys.anotherWay'));
  await openKeyWithWords(page, t, guardianKey.words);
  await expectScreen(page, t('confirm.confirm.title', { domain }));
  await check('5-confirm');
  await clickButton(page, t('confirm.confirm.yes'));
  await expectScreen(page, t('confirm.done.title'));
  await check('6-done');
});

test('only the words of the request are accepted; after three attempts the page advises to stop @long', async ({
  page,
  api,
}) => {
  const { holder, url } = await newRecoveryRequest(api);
  await page.goto(`${url}?step=words`);
  const checkButton = t('confirm.words.check');
  await page.getByRole('combobox').first().fill('');
  await clickButton(page, checkButton);
  await expect(page.getByRole('alert').filter({ hasText: t('confirm.words.missing') })).toBeVisible();
  await page.getByRole('combobox').first().fill('abandon abandon xylophone abandon abandon abandon');
  await clickButton(page, checkButton);
  const unlisted = t('confirm.words.unlisted', { count: 1, numbers: '3' });
  await expect(page.getByRole('alert').filter({ hasText: unlisted })).toBeVisible();
  const third = page.getByRole('combobox', { name: t('confirm.words.label', { number: 3 }) });
  await expect(third).toBeFocused();
  await third.fill('zebra');
  for (let attempt = 0; attempt < 2; attempt++) {
    await clickButton(page, checkButton);
    await expect(page.getByText(t('confirm.words.mismatch'))).toBeVisible();
  }
  await clickButton(page, checkButton);
  await expect(page.getByText(t('confirm.words.stopBody'))).toBeVisible();
  await page.goto(`${url}?step=confirm`);
  await expectScreen(page, t('confirm.words.title'));
  expect((await api.identity(holder.id)).active_recovery).toBeNull();
});

test('only the file of the guardian’s key and its passphrase are accepted @long', { tag: '@desktop' }, async ({
  page,
  api,
}) => {
  const { holder, url, words, guardianKey } = await newRecoveryRequest(api);
  const file = await guardianKey.file(holder.domain);
  const otherFile = await (await newGuardianKey()).file(holder.domain);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  await chooseOption(page, t('keys.open.file'));
  const alert = page.getByRole('alert');
  await selectKeyFile(page, t, { name: 'holiday.json', text: '{"other": "file"}' });
  await expect(alert.filter({ hasText: t('keys.problem.foreign') })).toBeVisible();
  await selectKeyFile(page, t, { ...file, text: file.text.slice(0, -40) });
  await expect(alert.filter({ hasText: t('keys.problem.damaged') })).toBeVisible();
  await expect(page.getByText(t('guardian.linkFor.role', { role: 'primary', domain: holder.domain }))).toBeVisible();
  await selectKeyFile(page, t, otherFile);
  await expect(alert.filter({ hasText: 'that of another guardian' })).toBeVisible();
  await selectKeyFile(page, t, file);
  await expect(alert.filter({ hasText: holder.domain })).toBeHidden();
  await passphraseField(page, t).fill('another passphrase');
  await clickButton(page, t('keys.open.open'));
  await expect(
    page.getByText(t('keys.problem.passphrase', { place: 'file', date: dayOfFile(file.text) })),
  ).toBeVisible();
  await expect(passphraseField(page, t)).toBeFocused();
  await passphraseField(page, t).fill(file.passphrase);
  await clickButton(page, t('keys.open.open'));
  await expectScreen(page, t('confirm.confirm.title', { domain: holder.domain }));
});

test('a guardian who opens the link of another guardian learns so before entering a key @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const holder = await api.newHolder();
  const invitation = await api.invite(holder, 'primary');
  const first = await api.accept(holder, invitation);
  const own = await newStoredHolder(page, api);
  await api.accept(holder, await api.invite(holder, 'secondary'), own.key);
  const { publicKey } = newKey();
  const request = await api.requestRecovery(holder, publicKey);
  const warning = page.getByRole('status').filter({ hasText: t('guardian.linkFor.another') });

  await page.goto(linkFor(request, 'primary'));
  await expect(warning).toContainText(t('guardian.linkFor.role', { role: 'primary', domain: holder.domain }));
  await expect(warning).toContainText(t('guardian.linkFor.own', { own: 'secondary' }));
  await clickThroughRequest(page, t, holder.domain, request.fingerprint.split(' '));
  await chooseOption(page, t('keys.open.words'));
  await expectScreen(page, t('keys.open.wordsTitle'));
  await expect(warning).toBeVisible();

  await page.goto(linkFor(request, 'secondary'));
  await expect(page.getByText(t('guardian.linkFor.role', { role: 'secondary', domain: holder.domain }))).toBeVisible();
  await expect(page.getByText(t('guardian.linkFor.yours'))).toBeVisible();
  await expect(warning).toBeHidden();

  await page.goto((await api.invite(holder, 'tertiary')).url);
  await expect(warning).toContainText(t('guardian.linkFor.role', { role: 'tertiary', domain: holder.domain }));

  // Links that the other guardian has used: this one is not to believe that their own part is done.
  await openWithStatus(page, pageErrors, invitation.url, 410);
  await expect(warning).toContainText(t('guardian.linkFor.own', { own: 'secondary' }));
  await api.confirmRecovery(holder, linkFor(request, 'primary'), publicKey, first);
  await openWithStatus(page, pageErrors, linkFor(request, 'primary'), 410);
  await expectScreen(page, t('confirm.confirmed.title', { role: 'primary' }));
  await expect(warning).toContainText(t('guardian.linkFor.own', { own: 'secondary' }));
});

test('a file that was selected before the scripts load is read @long', { tag: '@desktop' }, async ({ page, api }) => {
  const { holder, url, words, guardianKey } = await newRecoveryRequest(api);
  const file = await guardianKey.file(holder.domain);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  await expectScreen(page, t('keys.open.chooseTitle'));
  const release = await delayScripts(page);
  await chooseOption(page, t('keys.open.file'));
  await selectKeyFile(page, t, file);
  await passphraseField(page, t).fill(file.passphrase);
  await clickButton(page, t('keys.open.open'));
  release();
  await expectScreen(page, t('confirm.confirm.title', { domain: holder.domain }));
});

test('only the 24 words of the guardian’s key are accepted, and the wrong ones are named @long', async ({
  page,
  api,
}) => {
  const { holder, url, words, guardianKey } = await newRecoveryRequest(api);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  const misspelt = ['xylophone', ...guardianKey.words.slice(1)];
  const otherWords = (await newGuardianKey()).words;
  const attempts: [readonly string[], string][] = [
    [otherWords, t('keys.problem.otherKeyTitle')],
    [misspelt, 'xylophone'],
    [Array.from({ length: 24 }, () => 'abandon'), t('keys.problem.checksum')],
  ];
  await openKeyWithWords(page, t, otherWords);
  const first = page.getByRole('combobox').first();
  for (const [attempt, problem] of attempts) {
    await first.fill(attempt.join(' '));
    await clickButton(page, t('keys.open.wordsOpen'));
    await expect(page.getByRole('alert').filter({ hasText: problem }).first()).toBeVisible();
    await expectScreen(page, t('keys.open.wordsTitle'));
  }
  await first.fill(guardianKey.words.join(' '));
  await clickButton(page, t('keys.open.wordsOpen'));
  await expectScreen(page, t('confirm.confirm.title', { domain: holder.domain }));
});

test('a guardian confirms after a lost connection, and after a lost response sees that it was confirmed @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder, url, words, guardianKey } = await newRecoveryRequest(api);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  await openKeyWithWords(page, t, guardianKey.words);
  await expectScreen(page, t('confirm.confirm.title', { domain: holder.domain }));
  await page.route(isPathOf(url), onPost(disconnect));
  await clickButton(page, t('confirm.confirm.yes'));
  await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
  await expectPageError(pageErrors, NO_RESPONSE);
  await page.unrouteAll();
  await page.route(isPathOf(url), onPost(loseResponse));
  await clickButton(page, t('confirm.confirm.yes'));
  await expectPageError(pageErrors, NO_RESPONSE);
  await page.unrouteAll();
  await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
  await clickButton(page, t('confirm.confirm.yes'));
  await expectScreen(page, t('confirm.confirmed.title', { role: 'primary' }));
  await expectPageError(pageErrors, 'status of 4');
  expect((await api.identity(holder.id)).active_recovery).toMatchObject({ confirmations: 1 });
});

test('the last screen counts the other confirmations, and reports a recovery executed in the meantime @long', async ({
  page,
  api,
  pageErrors,
}) => {
  const { holder, url, words, guardianKey, confirm } = await newRecoveryRequest(api, 3);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  await confirm('secondary');
  await openKeyWithWords(page, t, guardianKey.words);
  await expect(page.getByText(t('confirm.confirm.second'))).toBeVisible();
  await confirm('tertiary');
  await clickButton(page, t('confirm.confirm.yes'));
  await expectScreen(page, t('confirm.executed.title', { domain: holder.domain }));
  await expectPageError(pageErrors, 'status of 410');
});

test('confirming cancels the pending query for the number of confirmations @long', async ({ page, api }) => {
  const { holder, url, words, guardianKey } = await newRecoveryRequest(api);
  await page.goto(url);
  await clickThroughRequest(page, t, holder.domain, words);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isQuery = (request: Request) =>
    request.method() === 'GET' && request.url().includes('/api/guardian/confirm-recovery/');
  const query = page.waitForRequest(isQuery);
  const cancelledQuery = page.waitForEvent('requestfailed', isQuery);
  // The confirmation uses up the link, so the query must be cancelled before it is sent.
  await page.route('**/api/guardian/confirm-recovery/*', async (route) => {
    await (route.request().method() === 'GET' ? released : cancelledQuery);
    await route.continue().catch(() => undefined);
  });
  await openKeyWithWords(page, t, guardianKey.words);
  await expectScreen(page, t('confirm.confirm.title', { domain: holder.domain }));
  await query;
  await clickButton(page, t('confirm.confirm.yes'));
  await expectScreen(page, t('confirm.done.title'));
  await cancelledQuery;
  release();
});

test('a guardian in doubt can stop at every step, and nothing is confirmed', async ({ page, api }) => {
  const { holder, url, words } = await newRecoveryRequest(api);
  await page.goto(url);
  await clickLink(page, t('confirm.doubt'));
  await expectScreen(page, t('confirm.stop.title'));
  await clickLink(page, t('confirm.stop.again'));
  await clickLink(page, t('guardian.continue'));
  await clickLink(page, t('confirm.call.cannot'));
  await expectScreen(page, t('confirm.stop.title'));
  await page.goBack();
  await clickLink(page, t('confirm.call.ready'));
  await typeSixWords(page, t, words);
  await clickLink(page, t('confirm.doubt'));
  await expectScreen(page, t('confirm.stop.title'));
  await page.goBack();
  await clickButton(page, t('confirm.words.check'));
  await expectScreen(page, t('keys.open.chooseTitle'));
  await clickButton(page, t('keys.open.neither'));
  await expectScreen(page, t('keys.open.neitherTitle'));
  expect((await api.identity(holder.id)).active_recovery).toBeNull();
});

/** A recovery request of a holder whose primary guardian has a key with words and a file. */
async function newRecoveryRequest(api: Api, count = 2) {
  const holder = await api.newHolder();
  const guardianKey = await newGuardianKey();
  const guardians: Guardian[] = [await api.accept(holder, await api.invite(holder, 'primary'), guardianKey.key)];
  for (const role of ['secondary', 'tertiary'].slice(0, count - 1)) {
    guardians.push(await api.accept(holder, await api.invite(holder, role)));
  }
  const { publicKey } = newKey();
  const request = await api.requestRecovery(holder, publicKey);
  const confirm = async (role: string) => {
    const guardian = guardians.find((candidate) => candidate.role === role);
    if (guardian) await api.confirmRecovery(holder, linkFor(request, role), publicKey, guardian);
  };
  return { holder, guardianKey, confirm, url: linkFor(request, 'primary'), words: request.fingerprint.split(' ') };
}
