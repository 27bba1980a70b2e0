import { linkFor, newKey } from './api.ts';
import { newKeptKey } from './kept-keys.ts';
import { expect, sayIn, test } from './people.ts';
import {
  choose,
  follow,
  keepAsWords,
  makeFile,
  onScreen,
  openWords,
  passphrase,
  pickFile,
  press,
  typeSixWords,
} from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');

test('every screen of an invitation up to the key can be read by everybody', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  const look = (name: string) => survey(page, `accept-${name}`, testInfo);

  await page.goto(url);
  await onScreen(page, say('accept.who.title', { domain }));
  await expect(page).toHaveTitle(`${say('accept.title')} – Perpetua`);
  await look('1-who');
  await follow(page, say('accept.who.unsure'));
  await onScreen(page, say('accept.ask.title'));
  await look('1-ask');
  await follow(page, say('accept.decline'));
  await onScreen(page, say('accept.no.title'));
  await look('1-no');
  await follow(page, say('accept.no.again'));
  await follow(page, say('accept.who.yes'));
  await onScreen(page, say('accept.what.title'));
  await look('2-what');
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('accept.day.title'));
  await look('3-day');
  await follow(page, say('accept.day.next'));
  await onScreen(page, say('keys.choose.title'));
  await look('4-key');
});

test('every screen on which a key is kept as a file can be read by everybody', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'secondary');
  const look = (name: string) => survey(page, `keep-${name}`, testInfo);

  await page.goto(`${url}?step=key`);
  await choose(page, say('keys.choose.file'));
  await onScreen(page, say('keys.passphrase.title'));
  await press(page, say('keys.passphrase.make'));
  await expect(page.getByText(say('keys.passphrase.short', { count: 0, minimum: 12 }))).toBeVisible();
  await look('file-1-passphrase');
  await press(page, say('keys.anotherWay'));
  const file = await makeFile(page, say);
  await look('file-2-save');
  await press(page, say('keys.save.saved'));
  await onScreen(page, say('keys.check.title'));
  await press(page, say('keys.check.open'));
  await expect(page.getByText(say('keys.problem.noFile'))).toBeVisible();
  await look('file-3-check');
  await pickFile(page, say, file);
  await passphrase(page, say).fill(file.passphrase);
  await press(page, say('keys.check.open'));
  await onScreen(page, say('keys.kept.title'));
  await look('file-4-kept');
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({
    path: `${testInfo.project.outputDir}/screenshots/keep-file-card-${testInfo.project.name.replace(/^.* /, '')}.png`,
  });
  await page.emulateMedia({ media: 'screen' });
  await press(page, say('keys.next'));
  await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
  await look('then-accept');
});

test('every screen on which a key is kept as words can be read by everybody', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'tertiary');
  const look = (name: string) => survey(page, `keep-${name}`, testInfo);

  await page.goto(`${url}?step=key`);
  await choose(page, say('keys.choose.words'));
  await onScreen(page, say('keys.write.title'));
  await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  await look('words-1-write');
  await press(page, say('keys.write.written'));
  await onScreen(page, say('keys.ask.title'));
  await press(page, say('keys.ask.check'));
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await look('words-2-ask');
  await press(page, say('keys.ask.again'));
  await press(page, say('keys.anotherWay'));
  await keepAsWords(page, say);
  await press(page, say('accept.accept.yes'));
  await onScreen(page, say('accept.done.title', { domain: holder.domain }));
  await expect(page.getByRole('main').locator('ol').getByRole('listitem')).toHaveCount(6);
  await look('then-done');
});

test('every screen of a request for recovery can be read by everybody', async ({ page, api }, testInfo) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const kept = await newKeptKey();
  await api.accept(holder, await api.invite(holder, 'primary'), kept.key);
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const request = await api.askForRecovery(holder, newKey().publicKey);
  const look = (name: string) => survey(page, `confirm-${name}`, testInfo);

  await page.goto(linkFor(request, 'primary'));
  await onScreen(page, say('confirm.ask.title', { domain }));
  await look('1-ask');
  await follow(page, say('confirm.doubt'));
  await onScreen(page, say('confirm.stop.title'));
  await look('1-stop');
  await follow(page, say('confirm.stop.again'));
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('confirm.call.title'));
  await look('2-call');
  await follow(page, say('confirm.call.ready'));
  await onScreen(page, say('confirm.words.title'));
  const first = page.getByRole('combobox').first();
  await first.fill('abandon zebra abandon zebra abandon zebra');
  await press(page, say('confirm.words.check'));
  await expect(page.getByText(say('confirm.words.mismatch'))).toBeVisible();
  await first.fill('');
  await first.pressSequentially('ab');
  await expect(page.getByRole('option').first()).toBeVisible();
  await look('3-words');
  await typeSixWords(page, say, request.fingerprint.split(' '));
  await press(page, say('confirm.words.check'));
  await onScreen(page, say('keys.open.chooseTitle'));
  await look('4-key');
  await press(page, say('keys.open.neither'));
  await onScreen(page, say('keys.open.neitherTitle'));
  await look('4-neither');
  await press(page, say('keys.anotherWay'));
  await choose(page, say('keys.open.file'));
  await onScreen(page, say('keys.open.fileTitle'));
  await look('4-file');
  await press(page, say('keys.anotherWay'));
  await choose(page, say('keys.open.words'));
  await press(page, say('keys.open.wordsOpen'));
  await expect(page.getByRole('combobox').first()).toBeFocused();
  await look('4-words');
  await press(page, say('keys.anotherWay'));
  await openWords(page, say, kept.words);
  await onScreen(page, say('confirm.confirm.title', { domain }));
  await look('5-confirm');
  await press(page, say('confirm.confirm.yes'));
  await onScreen(page, say('confirm.done.title'));
  await look('6-done');
});
