import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { completions } from '../protocol/signing/fingerprint.ts';
import { expect, type Say } from './people.ts';

/** A key file as a person has it: what it is called, what stands in it, and the passphrase they chose. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
  readonly passphrase: string;
}

const PASSPHRASE = 'herring lamp quorum Saturday';

/** The screen that a page shows, by its heading. */
export const onScreen = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

/** A large button whose name goes on with a sentence. */
export const choose = (page: Page, name: string) => choice(page, name).click();
export const choice = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name.replace(/\W/g, '\\$&')}`) });

/** From the first screen of an invitation to the one on which the key is kept. */
export async function readInvitation(page: Page, say: Say, domain: string): Promise<void> {
  await onScreen(page, say('accept.who.title', { domain }));
  await follow(page, say('accept.who.yes'));
  await onScreen(page, say('accept.what.title'));
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('accept.day.title'));
  await follow(page, say('accept.day.next'));
  await onScreen(page, say('keys.choose.title'));
}

export async function makeFile(page: Page, say: Say): Promise<SavedFile> {
  await choose(page, say('keys.choose.file'));
  await onScreen(page, say('keys.passphrase.title'));
  await passphrase(page, say).fill(PASSPHRASE);
  await press(page, say('keys.passphrase.make'));
  await onScreen(page, say('keys.save.title'));
  const [download] = await Promise.all([page.waitForEvent('download'), follow(page, say('keys.save.download'))]);
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), 'utf8'),
    passphrase: PASSPHRASE,
  };
}

/** Keeps the key as a file under a passphrase, and goes on. */
export async function keepAsFile(page: Page, say: Say): Promise<SavedFile> {
  const file = await makeFile(page, say);
  await press(page, say('keys.save.saved'));
  await onScreen(page, say('keys.check.title'));
  await pickFile(page, say, file);
  await passphrase(page, say).fill(file.passphrase);
  await press(page, say('keys.check.open'));
  await onScreen(page, say('keys.kept.title'));
  await press(page, say('keys.next'));
  return file;
}

export const passphrase = (page: Page, say: Say) =>
  page.getByLabel(say('keys.passphrase.label'), { exact: true }).locator('visible=true');

export const pickFile = (page: Page, say: Say, { name, text }: Pick<SavedFile, 'name' | 'text'>) =>
  page
    .getByLabel(say('keys.open.filePick'), { exact: true })
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** The 24 words on the screen. */
export const wordsShown = (page: Page, label: string): Promise<string[]> =>
  page
    .getByRole('list', { name: label, exact: true })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.lastChild?.textContent ?? ''));

/** Keeps the key as 24 words, and goes on. */
export async function keepAsWords(page: Page, say: Say): Promise<string[]> {
  await choose(page, say('keys.choose.words'));
  await onScreen(page, say('keys.write.title'));
  const list = say('keys.write.list');
  await expect(page.getByRole('list', { name: list, exact: true }).getByRole('listitem')).toHaveCount(24);
  const words = await wordsShown(page, list);
  await press(page, say('keys.write.written'));
  await onScreen(page, say('keys.ask.title'));
  for (const { label, word } of await wordsAsked(page, words)) await typeWord(page, label, word);
  await press(page, say('keys.ask.check'));
  await onScreen(page, say('keys.kept.title'));
  await press(page, say('keys.next'));
  return words;
}

/** Which two of the words the page asks for. */
export async function wordsAsked(page: Page, words: readonly string[]): Promise<{ label: string; word: string }[]> {
  await expect(page.getByRole('combobox')).toHaveCount(2);
  const labels = await page.getByRole('group').locator('label').allTextContents();
  return labels.map((label) => ({ label, word: words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '' }));
}

/** Types the first letters of a word and takes the completion that the page offers. */
export async function typeWord(page: Page, label: string, word: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.fill('');
  const typed = word.slice(0, 4);
  await field.pressSequentially(typed);
  const isAll = typed === word && completions(typed).length === 1;
  if (!isAll) await page.getByRole('option', { name: word, exact: true }).click();
  await expect(field).toHaveValue(word);
}

export async function typeSixWords(page: Page, say: Say, words: readonly string[]): Promise<void> {
  for (const [index, word] of words.entries()) {
    await typeWord(page, say('confirm.words.label', { number: index + 1 }), word);
  }
}

/** From the first screen of a request for recovery to the one that asks for the guardian's key. */
export async function readRequest(page: Page, say: Say, domain: string, words: readonly string[]): Promise<void> {
  await onScreen(page, say('confirm.ask.title', { domain }));
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('confirm.call.title'));
  await follow(page, say('confirm.call.ready'));
  await onScreen(page, say('confirm.words.title'));
  await typeSixWords(page, say, words);
  await press(page, say('confirm.words.check'));
}

/** Opens the key with the file, in a browser that does not have it. */
export async function openFile(page: Page, say: Say, file: SavedFile): Promise<void> {
  await onScreen(page, say('keys.open.chooseTitle'));
  await choose(page, say('keys.open.file'));
  await pickFile(page, say, file);
  await passphrase(page, say).fill(file.passphrase);
  await press(page, say('keys.open.open'));
}

/** Opens the key with the 24 words, pasted into the first field. */
export async function openWords(page: Page, say: Say, words: readonly string[]): Promise<void> {
  await onScreen(page, say('keys.open.chooseTitle'));
  await choose(page, say('keys.open.words'));
  await page.getByRole('combobox', { name: say('keys.word', { number: 1 }), exact: true }).fill(words.join(' '));
  await press(page, say('keys.open.wordsOpen'));
}

/** From the domain to the screen on which the new key is kept. */
export async function findIdentity(page: Page, say: Say, domain: string): Promise<void> {
  await onScreen(page, say('recover.start.title'));
  await page.getByRole('textbox', { name: say('recover.start.label'), exact: true }).fill(domain);
  await press(page, say('recover.start.submit'));
  await onScreen(page, say('recover.found.title', { domain }));
  await follow(page, say('recover.found.next'));
  await onScreen(page, say('recover.what.title'));
  await follow(page, say('recover.what.next'));
  await onScreen(page, say('keys.choose.title'));
}

/** Asks the guardians. @returns the links, in the order of the guardians, and the six words */
export async function askGuardians(page: Page, say: Say): Promise<{ links: string[]; words: string[] }> {
  await onScreen(page, say('recover.ask.title'));
  await press(page, say('recover.ask.yes'));
  await onScreen(page, say('recover.links.title'));
  const links = await page.getByText(/\/api\/guardian\/confirm-recovery\//).allTextContents();
  await follow(page, say('recover.links.next'));
  await onScreen(page, say('recover.words.title'));
  const list = say('recover.words.title');
  await expect(page.getByRole('list', { name: list, exact: true }).getByRole('listitem')).toHaveCount(6);
  const words = await wordsShown(page, list);
  await follow(page, say('recover.words.next'));
  return { links, words };
}
