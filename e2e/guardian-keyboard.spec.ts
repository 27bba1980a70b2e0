import type { Locator, Page } from '@playwright/test';
import { completions } from '../protocol/signing/fingerprint.ts';
import { linkFor, newKey } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { newGuardianKey } from './key-files.ts';
import { expectScreen, listedWords, optionButton, wordsToCheck } from './page-actions.ts';

const t = translatorFor('en');

test('an invitation can be accepted with the keyboard, and each screen focuses its heading @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const { url } = await api.invite(holder, 'primary');
  await page.goto(url);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const expectFocusedHeading = (title: string) =>
    expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeFocused();

  await pressEnterOn(page, link(t('accept.who.unsure')));
  await expectFocusedHeading(t('accept.ask.title'));
  await pressEnterOn(page, link(t('accept.ask.yes')));
  await expectFocusedHeading(t('accept.what.title'));
  await pressEnterOn(page, link(t('guardian.continue')));
  await expectFocusedHeading(t('accept.day.title'));
  await pressEnterOn(page, link(t('accept.day.next')));
  await expectFocusedHeading(t('keys.choose.title'));
  await pressEnterOn(page, optionButton(page, t('keys.choose.words')));
  await expectFocusedHeading(t('keys.write.title'));
  await expect(page.getByRole('list', { name: t('keys.write.list') }).getByRole('listitem')).toHaveCount(24);
  const words = await listedWords(page, t('keys.write.list'));
  await pressEnterOn(page, button(t('keys.write.written')));
  await expectFocusedHeading(t('keys.ask.title'));
  const checked = await wordsToCheck(page, words);
  await tabTo(page, page.getByRole('combobox').first());
  for (const [index, { label, word }] of checked.entries()) {
    const field = page.getByRole('combobox', { name: label, exact: true });
    await expect(field).toBeFocused();
    await page.keyboard.type(word.slice(0, 2));
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.type(word.slice(2));
    await expect(field).toHaveValue(word);
    if (index === 0) await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Escape');
  await pressEnterOn(page, button(t('keys.ask.check')));
  await expectFocusedHeading(t('keys.kept.title'));
  await pressEnterOn(page, button(t('keys.next')));
  await expectFocusedHeading(t('accept.accept.title', { domain }));
  const acceptButton = button(t('accept.accept.yes'));
  await tabTo(page, acceptButton);
  await expect(acceptButton).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await expectFocusedHeading(t('accept.done.title', { domain }));
  expect((await api.identity(holder.id)).recovery.guardians).toMatchObject([{ status: 'ACTIVE' }]);
});

test('a recovery can be confirmed with the keyboard, completions chosen with the arrow keys @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const holder = await api.newHolder();
  const { domain } = holder;
  const guardian = await newGuardianKey();
  await api.accept(holder, await api.invite(holder, 'primary'), guardian.key);
  await api.accept(holder, await api.invite(holder, 'secondary'));
  const request = await api.requestRecovery(holder, newKey().publicKey);
  await page.goto(linkFor(request, 'primary'));
  await pressEnterOn(page, page.getByRole('link', { name: t('guardian.continue'), exact: true }));
  await pressEnterOn(page, page.getByRole('link', { name: t('confirm.call.ready'), exact: true }));
  await tabTo(page, page.getByRole('combobox').first());
  for (const [index, word] of request.fingerprint.split(' ').entries()) {
    const field = page.getByRole('combobox', { name: t('confirm.words.label', { number: index + 1 }), exact: true });
    await expect(field).toBeFocused();
    const prefix = prefixOf(word);
    await page.keyboard.type(prefix);
    if (prefix !== word) {
      const completion = page.getByRole('option', { name: word, exact: true });
      await expect(completion).toBeVisible();
      while ((await completion.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    } else {
      await page.keyboard.press(index < 5 ? 'Tab' : 'Escape');
    }
    await expect(field).toHaveValue(word);
  }
  await page.keyboard.press('Enter');
  await expectScreen(page, t('keys.open.chooseTitle'));
  await pressEnterOn(page, optionButton(page, t('keys.open.words')));
  await tabTo(page, page.getByRole('combobox').first());
  for (const word of guardian.words) await page.keyboard.type(`${word} `);
  await pressEnterOn(page, page.getByRole('button', { name: t('keys.open.wordsOpen'), exact: true }));
  await expectScreen(page, t('confirm.confirm.title', { domain }));
  await pressEnterOn(page, page.getByRole('button', { name: t('confirm.confirm.yes'), exact: true }));
  await expectScreen(page, t('confirm.done.title'));
});

test('Enter accepts the highlighted suggestion of a word, and the arrow keys choose another @long', {
  tag: '@desktop',
}, async ({ page, api }) => {
  const { holder } = await api.newGuardedHolder();
  const request = await api.requestRecovery(holder, newKey().publicKey);
  await page.goto(`${linkFor(request, 'primary')}?step=words`);
  const field = (number: number) =>
    page.getByRole('combobox', { name: t('confirm.words.label', { number }), exact: true });
  const [first = '', second = ''] = completions('ab');
  await tabTo(page, field(1));
  await page.keyboard.type('ab');
  await expect(page.getByRole('option', { name: first, exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(field(1)).toHaveValue(first);
  await expect(field(2)).toBeFocused();
  await page.keyboard.type('ab');
  await expect(page.getByRole('option', { name: first, exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(2)).toHaveValue(second);
  await expect(field(3)).toBeFocused();
});

/** The shortest prefix for which the page offers the word, or the whole word. */
const prefixOf = (word: string): string =>
  [2, 3, 4]
    .map((letters) => word.slice(0, letters))
    .find((letters) => letters !== word && completions(letters).slice(0, 6).includes(word)) ?? word;

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The Tab key does not reach the element.');
}

async function pressEnterOn(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}
