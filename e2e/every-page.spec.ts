import type { Page } from '@playwright/test';
import { titleAt } from '../app/_ui/title-at.ts';
import { titlesBy } from '../app/titles.ts';
import { messagesIn } from '../messages/messages.ts';
import { unshortened } from '../protocol/guardian-links.ts';
import { ALL_WIDTHS, checkPage, checkScreenInBothThemes, checkWidths, MAIN_WIDTHS } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { openPage, PAGE_EXAMPLES, type PageExample, signInWithTestData, visit } from './page-examples.ts';

const BUDGET_BYTES = 245_000;
const TABS = 2;
const PAGES_PER_TEST = 6;
/** The language with the longest texts: what fits in it fits in the others, and its messages are the most bytes. */
const LONGEST = 'es';
/** The titles of the pages in the languages other than the browser's. */
const TITLES = { 'pt-BR': titlesBy(translatorFor('pt-BR')), es: titlesBy(translatorFor('es')) } as const;
/** A missing message is shown as its key. */
const MESSAGE_KEY = new RegExp(`\\b(${Object.keys(messagesIn('en')).join('|')})(\\.[a-zA-Z]\\w*)+\\b`);
/** The end of the title of a page with several steps. */
const STEP_SUFFIX = / \(\d+ de \d+\)/;

const [MAIN, OTHERS] = [PAGE_EXAMPLES.filter(({ isMain }) => isMain), PAGE_EXAMPLES.filter(({ isMain }) => !isMain)];

for (const [tag, all] of Object.entries({ '': MAIN, ' @long': OTHERS })) {
  for (const examples of groupsOf(all)) {
    test(`pages fit the main widths in Spanish and load at most 245 kB of scripts, and one of each kind is accessible: ${namesOf(examples)}${tag}`, async ({
      page,
      api,
    }, info) => {
      const data = await signInWithTestData(page, api);
      await visit(page, examples, TABS, async (tab, example) => {
        await openIn(tab, example, example.path(data), LONGEST);
        const bytes = await scriptBytesOf(tab);
        expect.soft(bytes, `${example.name}: bytes of scripts`).toBeGreaterThan(0);
        expect.soft(bytes, `${example.name}: bytes of scripts`).toBeLessThanOrEqual(BUDGET_BYTES);
        console.log(`${example.name}: ${(bytes / 1_000).toFixed(1)} kB of compressed scripts.`);
        // In both themes the long tier checks every page (below).
        if (isFirstOfKind(example)) await checkPage(tab, `page-${example.name}`, info);
        await checkWidths(tab, `${example.name}, ${LONGEST}`, MAIN_WIDTHS);
      });
    });
  }
}

for (const examples of groupsOf(PAGE_EXAMPLES)) {
  test(`pages are translated and fit every width in every language: ${namesOf(examples)} @long`, async ({
    page,
    api,
  }, info) => {
    const data = await signInWithTestData(page, api);
    await visit(page, examples, TABS, async (tab, example) => {
      const path = example.path(data);
      await openPage(tab, path, example.status);
      await checkScreenInBothThemes(tab, `page-${example.name}-en`, info);
      await checkWidths(tab, `${example.name}, en`, ALL_WIDTHS);
      for (const lang of ['pt-BR', 'es'] as const) {
        await openIn(tab, example, path, lang);
        await checkWidths(tab, `${example.name}, ${lang}`, ALL_WIDTHS);
      }
    });
  });
}

function groupsOf(examples: readonly PageExample[]): readonly (readonly PageExample[])[] {
  const starts = examples.map((_, index) => index).filter((index) => index % PAGES_PER_TEST === 0);
  return starts.map((start) => examples.slice(start, start + PAGES_PER_TEST));
}

const kindOf = ({ name }: PageExample) => name.split('-')[0];
const isFirstOfKind = (example: PageExample) =>
  PAGE_EXAMPLES.find((each) => kindOf(each) === kindOf(example)) === example;

function namesOf(examples: readonly PageExample[]): string {
  return examples.map(({ name }) => name).join(', ');
}

/** Opens a page in another language than the browser's, and expects its title and no missing message. */
async function openIn(
  tab: Page,
  { name, status }: PageExample,
  path: string,
  lang: keyof typeof TITLES,
): Promise<void> {
  await openPage(tab, `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, status);
  await expect.soft(tab.locator('html'), name).toHaveAttribute('lang', lang);
  const title = await tab.title();
  expect.soft(title, name).not.toMatch(MESSAGE_KEY);
  const segments = unshortened(new URL(tab.url()).pathname)
    .replace(/^\/api\//, '/')
    .split('/')
    .filter(Boolean);
  expect.soft(title.replace(STEP_SUFFIX, ''), name).toBe(titleAt(TITLES[lang], segments));
  // The API reference is in English and names events, such as records.superseded.
  const content = tab.locator(path.startsWith('/developers') ? 'header' : 'body').first();
  expect.soft(await content.innerText(), name).not.toMatch(MESSAGE_KEY);
}

/** @returns the compressed bytes of the scripts that the page has loaded, also of those that the browser had already */
async function scriptBytesOf(tab: Page): Promise<number> {
  await tab.waitForLoadState('networkidle');
  return tab.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    const sizes = new Map(scripts.map(({ name, encodedBodySize }) => [name, encodedBodySize]));
    return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  });
}
