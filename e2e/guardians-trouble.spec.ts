import type { Page, Route } from '@playwright/test';
import { guardianWords } from '../protocol/signing/fingerprint.ts';
import { type Api, type Guardian, type Holder, keyOfWords, linkFor, newKey } from './api.ts';
import { newKeptKey } from './kept-keys.ts';
import { expect, openClosed, pardon, sayIn, test } from './people.ts';
import {
  choose,
  follow,
  keepAsWords,
  onScreen,
  openWords,
  passphrase,
  pickFile,
  press,
  readInvitation,
  readRequest,
  typeSixWords,
  typeWord,
  wordsAsked,
  wordsShown,
} from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');
const UNREACHABLE = say('guardian.errors.UNREACHABLE');

test.describe('accepting', () => {
  test('goes on after the connection was gone, with the key that was kept', async ({ page, api, complaints }) => {
    const { holder, url, key } = await readyToAccept(page, api);
    await page.route(
      isPost(url),
      orElse((route) => route.abort('internetdisconnected')),
    );
    await press(page, say('accept.accept.yes'));
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
    await pardon(complaints, 'ERR_INTERNET_DISCONNECTED');
    await page.unrouteAll();
    await press(page, say('accept.accept.yes'));
    await onScreen(page, say('accept.done.title', { domain: holder.domain }));
    expect(await registered(api, holder)).toBe(key.publicKey);
  });

  test('is done where only the answer was lost, whether the person tries again or loads the page again', async ({
    page,
    api,
    complaints,
  }) => {
    const { holder, url, key } = await readyToAccept(page, api);
    await page.route(isPost(url), orElse(loseAnswer));
    await press(page, say('accept.accept.yes'));
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
    await pardon(complaints, 'ERR_CONNECTION_RESET');
    await page.unrouteAll();
    await press(page, say('accept.accept.yes'));
    await onScreen(page, say('accept.done.title', { domain: holder.domain }));
    await pardon(complaints, 'status of 410');
    expect(await registered(api, holder)).toBe(key.publicKey);
    await openClosed(page, complaints, url, 410);
    await onScreen(page, say('accept.done.title', { domain: holder.domain }));
  });

  test('shows the six words once more to whoever opens the key that accepted', async ({
    page,
    api,
    complaints,
  }, testInfo) => {
    const holder = await api.newHolder();
    const invitation = await api.invite(holder, 'primary');
    const { key, words } = await newKeptKey();
    await api.accept(holder, invitation, key);
    await openClosed(page, complaints, invitation.url, 410);
    await press(page, say('accept.used.show'));
    await choose(page, say('keys.open.words'));
    await page.getByRole('combobox', { name: say('keys.word', { number: 1 }), exact: true }).fill(words.join(' '));
    await press(page, say('keys.open.wordsOpen'));
    await expect(page.getByRole('heading', { name: say('accept.done.words') })).toBeFocused();
    expect(await wordsShown(page, say('accept.done.words'))).toEqual(guardianWords(holder.id, key.publicKey));
    await survey(page, 'invitation-used-words', testInfo);
  });

  test('keeps the key that was made when the page is loaded again, before and after it was kept', async ({
    page,
    api,
  }) => {
    const holder = await api.newHolder();
    const { url } = await api.invite(holder, 'primary');
    await page.goto(url);
    await readInvitation(page, say, holder.domain);
    await choose(page, say('keys.choose.words'));
    await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
    const before = await wordsShown(page, say('keys.write.list'));
    await page.reload();
    await onScreen(page, say('keys.choose.title'));
    expect(await keepAsWords(page, say)).toEqual(before);
    await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
    await page.reload();
    await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
    await press(page, say('accept.accept.yes'));
    await onScreen(page, say('accept.done.title', { domain: holder.domain }));
  });

  test('says so where somebody else has accepted meanwhile, or the identity was locked', async ({
    page,
    another,
    api,
    complaints,
  }) => {
    const holder = await api.newHolder();
    const first = await api.invite(holder, 'primary');
    const second = await api.invite(holder, 'secondary');
    await page.goto(first.url);
    await readInvitation(page, say, holder.domain);
    await keepAsWords(page, say);
    await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
    await api.accept(holder, first);
    await press(page, say('accept.accept.yes'));
    await onScreen(page, say('accept.used.title'));
    await pardon(complaints, 'status of 410');

    const late = await another();
    await late.goto(second.url);
    await readInvitation(late, say, holder.domain);
    await keepAsWords(late, say);
    await api.lock(holder);
    await press(late, say('accept.accept.yes'));
    await onScreen(late, say('accept.locked.title', { domain: holder.domain }));
    await pardon(complaints, 'status of 423');
  });

  test('lets nobody on with a wrong word of the two, and shows the words again', async ({ page, api }) => {
    const holder = await api.newHolder();
    const { url } = await api.invite(holder, 'primary');
    await page.goto(url);
    await readInvitation(page, say, holder.domain);
    await choose(page, say('keys.choose.words'));
    await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
    const words = await wordsShown(page, say('keys.write.list'));
    await press(page, say('keys.write.written'));
    const [one, two] = await wordsAsked(page, words);
    const numberOf = (label = '') => Number(/\d+/.exec(label)?.[0]);
    await typeWord(page, one?.label ?? '', one?.word ?? '');
    await typeWord(page, two?.label ?? '', two?.word === 'zebra' ? 'abandon' : 'zebra');
    await press(page, say('keys.ask.check'));
    const wrong = say('keys.ask.wrong', { count: 1, positions: String(numberOf(two?.label)) });
    await expect(page.getByRole('alert').filter({ hasText: wrong })).toBeVisible();
    await expect(page.getByRole('combobox', { name: two?.label ?? '', exact: true })).toBeFocused();
    await press(page, say('keys.ask.again'));
    expect(await wordsShown(page, say('keys.write.list'))).toEqual(words);
  });
});

test.describe('confirming', () => {
  test('takes only the words of the request, and advises to stop after three others', async ({ page, api }) => {
    const { holder, url } = await asked(api);
    await page.goto(`${url}?step=words`);
    const check = say('confirm.words.check');
    await page.getByRole('combobox').first().fill('');
    await press(page, check);
    await expect(page.getByRole('alert').filter({ hasText: say('confirm.words.missing') })).toBeVisible();
    await page.getByRole('combobox').first().fill('abandon abandon xylophone abandon abandon abandon');
    await press(page, check);
    const unlisted = say('confirm.words.unlisted', { count: 1, numbers: '3' });
    await expect(page.getByRole('alert').filter({ hasText: unlisted })).toBeVisible();
    const third = page.getByRole('combobox', { name: say('confirm.words.label', { number: 3 }) });
    await expect(third).toBeFocused();
    await third.fill('zebra');
    for (let attempt = 0; attempt < 2; attempt++) {
      await press(page, check);
      await expect(page.getByText(say('confirm.words.mismatch'))).toBeVisible();
    }
    await press(page, check);
    await expect(page.getByText(say('confirm.words.stopBody'))).toBeVisible();
    await page.goto(`${url}?step=confirm`);
    await onScreen(page, say('confirm.words.title'));
    expect((await api.identity(holder.id)).active_recovery).toBeNull();
  });

  test('takes only the file that was kept, and its own passphrase', async ({ page, api }) => {
    const { holder, url, words, kept } = await asked(api);
    const file = await kept.file(holder.domain);
    const stranger = await (await newKeptKey()).file(holder.domain);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    await choose(page, say('keys.open.file'));
    const alert = page.getByRole('alert');
    await pickFile(page, say, { name: 'holiday.json', text: '{"perhaps": "not"}' });
    await expect(alert.filter({ hasText: say('keys.problem.foreign') })).toBeVisible();
    await pickFile(page, say, { ...file, text: file.text.slice(0, -40) });
    await expect(alert.filter({ hasText: say('keys.problem.damaged') })).toBeVisible();
    await pickFile(page, say, stranger);
    await expect(alert.filter({ hasText: `This file holds another key for ${holder.domain}` })).toBeVisible();
    await pickFile(page, say, file);
    await expect(alert.filter({ hasText: holder.domain })).toBeHidden();
    await passphrase(page, say).fill('quite another passphrase');
    await press(page, say('keys.open.open'));
    await expect(page.getByText(say('keys.problem.passphrase'))).toBeVisible();
    await expect(passphrase(page, say)).toBeFocused();
    await passphrase(page, say).fill(file.passphrase);
    await press(page, say('keys.open.open'));
    await onScreen(page, say('confirm.confirm.title', { domain: holder.domain }));
  });

  test('reads a file that was picked before what reads it had come', async ({ page, api }) => {
    const { holder, url, words, kept } = await asked(api);
    const file = await kept.file(holder.domain);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    await onScreen(page, say('keys.open.chooseTitle'));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_next/static/**/*.js', (route) => released.then(() => route.continue()));
    await choose(page, say('keys.open.file'));
    await pickFile(page, say, file);
    await passphrase(page, say).fill(file.passphrase);
    await press(page, say('keys.open.open'));
    release();
    await onScreen(page, say('confirm.confirm.title', { domain: holder.domain }));
  });

  test('takes only the 24 words that were kept, and says which are wrong', async ({ page, api }) => {
    const { holder, url, words, kept } = await asked(api);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    const misspelt = ['xylophone', ...kept.words.slice(1)];
    const stranger = (await newKeptKey()).words;
    const attempts: [readonly string[], string][] = [
      [stranger, say('keys.problem.otherKeyTitle')],
      [misspelt, 'xylophone'],
      [Array.from({ length: 24 }, () => 'abandon'), say('keys.problem.checksum')],
    ];
    await openWords(page, say, stranger);
    const first = page.getByRole('combobox').first();
    for (const [attempt, told] of attempts) {
      await first.fill(attempt.join(' '));
      await press(page, say('keys.open.wordsOpen'));
      await expect(page.getByRole('alert').filter({ hasText: told }).first()).toBeVisible();
      await onScreen(page, say('keys.open.wordsTitle'));
    }
    await first.fill(kept.words.join(' '));
    await press(page, say('keys.open.wordsOpen'));
    await onScreen(page, say('confirm.confirm.title', { domain: holder.domain }));
  });

  test('goes on after the connection was gone, and knows a confirmation whose answer was lost', async ({
    page,
    api,
    complaints,
  }) => {
    const { holder, url, words, kept } = await asked(api);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    await openWords(page, say, kept.words);
    await onScreen(page, say('confirm.confirm.title', { domain: holder.domain }));
    await page.route(
      isPost(url),
      orElse((route) => route.abort('internetdisconnected')),
    );
    await press(page, say('confirm.confirm.yes'));
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
    await pardon(complaints, 'ERR_INTERNET_DISCONNECTED');
    await page.unrouteAll();
    await page.route(isPost(url), orElse(loseAnswer));
    await press(page, say('confirm.confirm.yes'));
    await pardon(complaints, 'ERR_CONNECTION_RESET');
    await page.unrouteAll();
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE })).toBeVisible();
    await press(page, say('confirm.confirm.yes'));
    await onScreen(page, say('confirm.confirmed.title'));
    await pardon(complaints, 'status of 4');
    expect((await api.identity(holder.id)).active_recovery).toMatchObject({ confirmations: 1 });
  });

  test('says so where the recovery was executed meanwhile, and counts the others on the last screen', async ({
    page,
    api,
    complaints,
  }) => {
    const { holder, url, words, kept, confirm } = await asked(api, 3);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    await confirm('secondary');
    await openWords(page, say, kept.words);
    await expect(page.getByText(say('confirm.confirm.second'))).toBeVisible();
    await confirm('tertiary');
    await press(page, say('confirm.confirm.yes'));
    await onScreen(page, say('confirm.executed.title', { domain: holder.domain }));
    await pardon(complaints, 'status of 410');
  });

  test('asks no longer how many have confirmed, once the person has', async ({ page, api }) => {
    const { holder, url, words, kept } = await asked(api);
    await page.goto(url);
    await readRequest(page, say, holder.domain, words);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const question = page.waitForEvent('requestfailed');
    // Held, the question would arrive behind the confirmation, which uses the link up; so it must be given up before that goes.
    await page.route('**/api/guardian/confirm-recovery/*', async (route) => {
      await (route.request().method() === 'GET' ? released : question);
      await route.continue().catch(() => undefined);
    });
    await openWords(page, say, kept.words);
    await onScreen(page, say('confirm.confirm.title', { domain: holder.domain }));
    await press(page, say('confirm.confirm.yes'));
    await onScreen(page, say('confirm.done.title'));
    expect((await question).method()).toBe('GET');
    release();
  });

  test('can be left in doubt at every step, and nothing has happened then', async ({ page, api }) => {
    const { holder, url, words } = await asked(api);
    await page.goto(url);
    await follow(page, say('confirm.doubt'));
    await onScreen(page, say('confirm.stop.title'));
    await follow(page, say('confirm.stop.again'));
    await follow(page, say('guardian.continue'));
    await follow(page, say('confirm.call.cannot'));
    await onScreen(page, say('confirm.stop.title'));
    await page.goBack();
    await follow(page, say('confirm.call.ready'));
    await typeSixWords(page, say, words);
    await follow(page, say('confirm.doubt'));
    await onScreen(page, say('confirm.stop.title'));
    await page.goBack();
    await press(page, say('confirm.words.check'));
    await onScreen(page, say('keys.open.chooseTitle'));
    await press(page, say('keys.open.neither'));
    await onScreen(page, say('keys.open.neitherTitle'));
    expect((await api.identity(holder.id)).active_recovery).toBeNull();
  });
});

/** A person with a kept key, before the last question. */
async function readyToAccept(page: Page, api: Api) {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  await readInvitation(page, say, holder.domain);
  const words = await keepAsWords(page, say);
  await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
  return { holder, url, key: keyOfWords(words) };
}

const registered = async (api: Api, { id }: Holder) => (await api.identity(id)).recovery.guardians[0]?.public_key;

/** A request for recovery; the first guardian has kept the key. */
async function asked(api: Api, count = 2) {
  const holder = await api.newHolder();
  const kept = await newKeptKey();
  const guardians: Guardian[] = [await api.accept(holder, await api.invite(holder, 'primary'), kept.key)];
  for (const role of ['secondary', 'tertiary'].slice(0, count - 1)) {
    guardians.push(await api.accept(holder, await api.invite(holder, role)));
  }
  const { publicKey } = newKey();
  const request = await api.askForRecovery(holder, publicKey);
  const confirm = async (role: string) => {
    const guardian = guardians.find((one) => one.role === role);
    if (guardian) await api.confirmRecovery(holder, linkFor(request, role), publicKey, guardian);
  };
  return { holder, kept, confirm, url: linkFor(request, 'primary'), words: request.fingerprint.split(' ') };
}

const isPost = (url: string) => (address: URL) => address.pathname === new URL(url).pathname;

const orElse = (act: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === 'POST' ? act(route) : route.continue();

/** The request arrives; its answer does not. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionreset');
}
