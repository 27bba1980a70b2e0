import type { Locator, Page } from '@playwright/test';
import { completions } from '../protocol/signing/fingerprint.ts';
import { type Api, linkFor, newKey } from './api.ts';
import { newKeptKey } from './kept-keys.ts';
import { expect, sayIn, test } from './people.ts';
import { holdScripts, hydrated } from './scripts.ts';
import { choice, follow, onScreen, press, wordsAsked, wordsShown } from './steps.ts';

const say = sayIn('en');

test('an invitation can be accepted from the keyboard alone, and each screen begins at its heading', async ({
  page,
  api,
}) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const begins = (title: string) =>
    expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeFocused();

  await enter(page, link(say('accept.who.unsure')));
  await begins(say('accept.ask.title'));
  await enter(page, link(say('accept.ask.yes')));
  await begins(say('accept.what.title'));
  await enter(page, link(say('guardian.continue')));
  await begins(say('accept.day.title'));
  await enter(page, link(say('accept.day.next')));
  await begins(say('keys.choose.title'));
  await enter(page, choice(page, say('keys.choose.words')));
  await begins(say('keys.write.title'));
  await expect(page.getByRole('list', { name: say('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const words = await wordsShown(page, say('keys.write.list'));
  await enter(page, button(say('keys.write.written')));
  await begins(say('keys.ask.title'));
  const asked = await wordsAsked(page, words);
  await tabTo(page, page.getByRole('combobox').first());
  for (const [index, { label, word }] of asked.entries()) {
    const field = page.getByRole('combobox', { name: label, exact: true });
    await expect(field).toBeFocused();
    await page.keyboard.type(word.slice(0, 2));
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.type(word.slice(2));
    await expect(field).toHaveValue(word);
    if (index === 0) await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Escape');
  await enter(page, button(say('keys.ask.check')));
  await begins(say('keys.kept.title'));
  await enter(page, button(say('keys.next')));
  await begins(say('accept.accept.title', { domain }));
  const yes = button(say('accept.accept.yes'));
  await tabTo(page, yes);
  await expect(yes).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await begins(say('accept.done.title', { domain }));
  expect((await api.identity(holder.id)).recovery.guardians).toMatchObject([{ status: 'ACTIVE' }]);
});

test('a request can be confirmed from the keyboard alone, a completion chosen with the arrows', async ({
  page,
  api,
}) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const kept = await newKeptKey();
  await api.accept(holder, await api.invite(holder, 'primary'), kept.key);
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const request = await api.askForRecovery(holder, newKey().publicKey);
  await page.goto(linkFor(request, 'primary'));
  await enter(page, page.getByRole('link', { name: say('guardian.continue'), exact: true }));
  await enter(page, page.getByRole('link', { name: say('confirm.call.ready'), exact: true }));
  await tabTo(page, page.getByRole('combobox').first());
  for (const [index, word] of request.fingerprint.split(' ').entries()) {
    const field = page.getByRole('combobox', { name: say('confirm.words.label', { number: index + 1 }), exact: true });
    await expect(field).toBeFocused();
    const beginning = beginningOf(word);
    await page.keyboard.type(beginning);
    if (beginning !== word) {
      const offer = page.getByRole('option', { name: word, exact: true });
      await expect(offer).toBeVisible();
      while ((await offer.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    } else {
      await page.keyboard.press(index < 5 ? 'Tab' : 'Escape');
    }
    await expect(field).toHaveValue(word);
  }
  await page.keyboard.press('Enter');
  await onScreen(page, say('keys.open.chooseTitle'));
  await enter(page, choice(page, say('keys.open.words')));
  await tabTo(page, page.getByRole('combobox').first());
  for (const word of kept.words) await page.keyboard.type(`${word} `);
  await enter(page, page.getByRole('button', { name: say('keys.open.wordsOpen'), exact: true }));
  await onScreen(page, say('confirm.confirm.title', { domain }));
  await enter(page, page.getByRole('button', { name: say('confirm.confirm.yes'), exact: true }));
  await onScreen(page, say('confirm.done.title'));
});

test('an invitation can be read, and gone on with, while its scripts are still on their way', async ({ page, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const release = await holdScripts(page);
  await page.goto(url, { waitUntil: 'commit' });
  await onScreen(page, say('accept.who.title', { domain: holder.domain }));
  await follow(page, say('accept.who.yes'));
  await onScreen(page, say('accept.what.title'));
  await follow(page, say('guardian.continue'));
  await onScreen(page, say('accept.day.title'));
  await follow(page, say('accept.day.next'));
  await onScreen(page, say('accept.key.making'));
  release();
  await onScreen(page, say('keys.choose.title'));
});

test('what stands in the fields for the words before the scripts have come stands there afterwards', async ({
  page,
  api,
}) => {
  const { url, words } = await requested(api);
  const release = await holdScripts(page);
  await page.goto(url, { waitUntil: 'commit' });
  await follow(page, say('guardian.continue'));
  await follow(page, say('confirm.call.ready'));
  await onScreen(page, say('confirm.words.title'));
  const before = await typeEarly(page, words);
  release();
  await expectWords(page, before);
});

test('nor are they lost by going on before the scripts have come', async ({ page, api }) => {
  const { url, words } = await requested(api);
  const release = await holdScripts(page);
  await page.goto(`${url}?step=words`, { waitUntil: 'commit' });
  const before = await typeEarly(page, words);
  await page.keyboard.press('Enter');
  release();
  await onScreen(page, say('confirm.words.title'));
  await expectWords(page, before);
});

test('a recovery can be begun while the scripts are still on their way', async ({ page, api }) => {
  const { holder } = await api.guarded();
  const release = await holdScripts(page);
  await page.goto('/recover', { waitUntil: 'commit' });
  await onScreen(page, say('recover.start.title'));
  await page.getByRole('textbox', { name: say('recover.start.label') }).fill(holder.domain);
  await press(page, say('recover.start.submit'));
  await onScreen(page, say('recover.found.title', { domain: holder.domain }));
  await follow(page, say('recover.found.next'));
  await onScreen(page, say('recover.what.title'));
  release();
  await follow(page, say('recover.what.next'));
  await onScreen(page, say('keys.choose.title'));
});

test('whoever has no scripts can read everything, and is told what needs them', async ({ another, api }) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const page = await another({ javaScriptEnabled: false });
  await page.goto(url);
  await follow(page, say('accept.who.yes'));
  await onScreen(page, say('accept.what.title'));
  await page.goto(`${url}?step=key`);
  await onScreen(page, say('guardian.noScripts.title'));
  await expect(page.getByText(say('guardian.noScripts.body'))).toBeVisible();
  await page.goto('/recover');
  await onScreen(page, say('recover.start.title'));
});

async function requested(api: Api): Promise<{ url: string; words: string[] }> {
  const { holder } = await api.guarded();
  const request = await api.askForRecovery(holder, newKey().publicKey);
  return { url: linkFor(request, 'primary'), words: request.fingerprint.split(' ') };
}

/** Types the words as far as the page lets anybody yet. @returns what then stands in the fields */
async function typeEarly(page: Page, words: readonly string[]): Promise<string[]> {
  for (const [index, word] of words.entries()) {
    await page.getByRole('combobox').nth(index).focus();
    await page.keyboard.type(word);
  }
  return page
    .getByRole('combobox')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')));
}

async function expectWords(page: Page, words: readonly string[]): Promise<void> {
  await hydrated(page.getByRole('combobox').last());
  for (const [index, word] of words.entries()) await expect(page.getByRole('combobox').nth(index)).toHaveValue(word);
}

/** As many letters of a word as it takes for the page to offer it, or the whole of it. */
const beginningOf = (word: string): string =>
  [2, 3, 4]
    .map((letters) => word.slice(0, letters))
    .find((letters) => letters !== word && completions(letters).slice(0, 6).includes(word)) ?? word;

/** Goes on with the tabulator until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The tabulator does not get there.');
}

async function enter(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}
