import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { completions } from '../protocol/signing/fingerprint.ts';
import { bodyOf } from './firefox-esr.ts';
import { expect, type Translator } from './fixtures.ts';

/** A key file that was downloaded, and its passphrase. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
  readonly passphrase: string;
}

/** The passphrase that these tests choose on the pages. */
export const NEW_PASSPHRASE = 'herring lamp quorum Saturday';

/** Expects the page to show the screen with this heading. */
export const expectScreen = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();

export const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const clickLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

/** Opens the menu of the header; its name differs between languages. */
export const openMenu = (page: Page) => page.getByRole('banner').locator('[popovertarget]').click();

/** Chooses a language, by its own name, in the menu of the header. */
export async function chooseLanguage(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await clickLink(page, name);
  await page.keyboard.press('Escape');
}

/** Clicks a large button by its title: its accessible name starts with it and goes on with a description. */
export const chooseOption = (page: Page, name: string) => optionButton(page, name).click();
export const optionButton = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name.replace(/\W/g, '\\$&')}`) });

/** From the first screen of an invitation to the one that offers ways to keep the key. */
export async function clickThroughInvitation(page: Page, t: Translator, domain: string): Promise<void> {
  await expectScreen(page, t('accept.who.title', { domain }));
  await clickLink(page, t('accept.who.yes'));
  await expectScreen(page, t('accept.what.title'));
  await clickLink(page, t('guardian.continue'));
  await expectScreen(page, t('accept.day.title'));
  await clickLink(page, t('accept.day.next'));
  await expectScreen(page, t('keys.choose.title'));
}

export async function createKeyFile(page: Page, t: Translator): Promise<SavedFile> {
  await chooseOption(page, t('keys.choose.file'));
  await expectScreen(page, t('keys.passphrase.title'));
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('keys.passphrase.make'));
  await expectScreen(page, t('keys.save.title'));
  const [download] = await Promise.all([page.waitForEvent('download'), clickLink(page, t('keys.save.download'))]);
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), 'utf8'),
    passphrase: NEW_PASSPHRASE,
  };
}

/** Keeps the key as a file and continues. */
export async function keepKeyAsFile(page: Page, t: Translator): Promise<SavedFile> {
  const file = await createKeyFile(page, t);
  await clickButton(page, t('keys.save.saved'));
  await expectScreen(page, t('keys.check.title'));
  await selectKeyFile(page, t, file);
  await passphraseField(page, t).fill(file.passphrase);
  await clickButton(page, t('keys.check.open'));
  await expectScreen(page, t('keys.kept.title'));
  await clickButton(page, t('keys.next'));
  return file;
}

/** Chooses the passphrase under which this browser stores the key. */
export async function choosePassphrase(page: Page, t: Translator): Promise<void> {
  await expectScreen(page, t('session.here.title'));
  await passphraseField(page, t).fill(NEW_PASSPHRASE);
  await clickButton(page, t('session.here.submit'));
}

export const passphraseField = (page: Page, t: Translator) =>
  page.getByLabel(t('keys.passphrase.label'), { exact: true }).locator('visible=true');

/** The day on which a key file was made, as a page in English writes it. */
export const dayOfFile = (text: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(JSON.parse(text).created_at));

export const selectKeyFile = (page: Page, t: Translator, { name, text }: Pick<SavedFile, 'name' | 'text'>) =>
  page
    .getByLabel(t('keys.open.filePick'), { exact: true })
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** The words in a list, without their numbers. */
export const listedWords = (page: Page, label: string): Promise<string[]> =>
  page
    .getByRole('list', { name: label, exact: true })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.lastChild?.textContent ?? ''));

/** Keeps the key as 24 words and continues. */
export async function keepKeyAsWords(page: Page, t: Translator): Promise<string[]> {
  await chooseOption(page, t('keys.choose.words'));
  await expectScreen(page, t('keys.write.title'));
  const list = t('keys.write.list');
  await expect(page.getByRole('list', { name: list, exact: true }).getByRole('listitem')).toHaveCount(24);
  const words = await listedWords(page, list);
  await clickButton(page, t('keys.write.written'));
  await expectScreen(page, t('keys.ask.title'));
  for (const { label, word } of await wordsToCheck(page, words)) await typeWord(page, label, word);
  await clickButton(page, t('keys.ask.check'));
  await expectScreen(page, t('keys.kept.title'));
  await clickButton(page, t('keys.next'));
  return words;
}

/** The two words that the page wants to be repeated, with the labels of their fields. */
export async function wordsToCheck(page: Page, words: readonly string[]): Promise<{ label: string; word: string }[]> {
  await expect(page.getByRole('group').getByRole('combobox')).toHaveCount(2);
  const labels = await page.getByRole('group').locator('label').allTextContents();
  return labels.map((label) => ({ label, word: words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '' }));
}

/** Types the first letters of a word and takes the completion that the page offers. */
export async function typeWord(page: Page, label: string, word: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.fill('');
  const typed = word.slice(0, 4);
  await field.pressSequentially(typed);
  const isComplete = typed === word && completions(typed).length === 1;
  if (!isComplete) await page.getByRole('option', { name: word, exact: true }).click();
  await expect(field).toHaveValue(word);
}

export async function typeSixWords(page: Page, t: Translator, words: readonly string[]): Promise<void> {
  for (const [index, word] of words.entries()) {
    await typeWord(page, t('confirm.words.label', { number: index + 1 }), word);
  }
}

/** From the first screen of a recovery request to the one that asks for the guardian's key. */
export async function clickThroughRequest(
  page: Page,
  t: Translator,
  domain: string,
  words: readonly string[],
): Promise<void> {
  await expectScreen(page, t('confirm.ask.title', { domain }));
  await clickLink(page, t('guardian.continue'));
  await expectScreen(page, t('confirm.call.title'));
  await clickLink(page, t('confirm.call.ready'));
  await expectScreen(page, t('confirm.words.title'));
  await typeSixWords(page, t, words);
  await clickButton(page, t('confirm.words.check'));
}

/** Opens the key with its file, in a browser that does not store it. */
export async function openKeyWithFile(page: Page, t: Translator, file: SavedFile): Promise<void> {
  await expectScreen(page, t('keys.open.chooseTitle'));
  await chooseOption(page, t('keys.open.file'));
  await selectKeyFile(page, t, file);
  await passphraseField(page, t).fill(file.passphrase);
  await clickButton(page, t('keys.open.open'));
}

/** Opens the key by pasting its 24 words into the first field. */
export async function openKeyWithWords(page: Page, t: Translator, words: readonly string[]): Promise<void> {
  await expectScreen(page, t('keys.open.chooseTitle'));
  await chooseOption(page, t('keys.open.words'));
  await page.getByRole('combobox', { name: t('keys.word', { number: 1 }), exact: true }).fill(words.join(' '));
  await clickButton(page, t('keys.open.wordsOpen'));
}

/** From the domain to the screen that offers ways to keep the new key. */
export async function startRecovery(page: Page, t: Translator, domain: string): Promise<void> {
  await expectScreen(page, t('recover.start.title'));
  await page.getByRole('textbox', { name: t('recover.start.label'), exact: true }).fill(domain);
  await clickButton(page, t('recover.start.submit'));
  await expectScreen(page, t('recover.found.title', { domain }));
  await clickLink(page, t('recover.found.next'));
  await expectScreen(page, t('recover.what.title'));
  await clickLink(page, t('recover.what.next'));
  await expectScreen(page, t('keys.choose.title'));
}

/** Sends the recovery request. @returns the links, in the order of the guardians, and the six words */
export async function sendRecoveryRequest(page: Page, t: Translator): Promise<{ links: string[]; words: string[] }> {
  await expectScreen(page, t('recover.ask.title'));
  await clickButton(page, t('recover.ask.yes'));
  await expectScreen(page, t('recover.links.title'));
  const links = await page.getByText(/\/r\/[\w-]{43}/).allTextContents();
  await clickLink(page, t('recover.links.next'));
  await expectScreen(page, t('recover.words.title'));
  const list = t('recover.words.title');
  await expect(page.getByRole('list', { name: list, exact: true }).getByRole('listitem')).toHaveCount(6);
  const words = await listedWords(page, list);
  await clickLink(page, t('recover.words.next'));
  return { links, words };
}

/** Matches requests to the path of an address. */
export const isPathOf = (url: string) => (address: URL) => address.pathname === new URL(url).pathname;

/** Handles POST requests only. */
export const onPost = (handle: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === 'POST' ? handle(route) : route.continue();

/** The request does not reach the server. */
export const disconnect = (route: Route): Promise<void> => route.abort('internetdisconnected');

/** The request reaches the server, but the response is lost. */
export async function loseResponse(route: Route): Promise<void> {
  await route.fetch({ postData: await bodyOf(route.request()) });
  await route.abort('connectionreset');
}

/** The number of pages of a PDF. */
export const pageCountOf = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
