import type { CDPSession, Page } from '@playwright/test';
import { titleAt } from '../app/_ui/title-at.ts';
import { titlesBy } from '../app/titles.ts';
import { messagesIn } from '../messages/messages.ts';
import { unshortened } from '../protocol/guardian-links.ts';
import { ALL_WIDTHS, checkPage, checkScreenInBothThemes, checkWidths, MAIN_WIDTHS } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { openPage, PAGE_EXAMPLES, type PageExample, signInWithTestData, visit } from './page-examples.ts';

const BUDGET_BYTES = 250_000;
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

for (let first = 0; first < PAGE_EXAMPLES.length; first += PAGES_PER_TEST) {
  const examples = PAGE_EXAMPLES.slice(first, first + PAGES_PER_TEST);
  const names = examples.map(({ name }) => name).join(', ');
  test(`pages are accessible and fit the main widths in Spanish, and load at most 250 kB of scripts: ${names}`, async ({
    page,
    api,
  }, info) => {
    const data = await signInWithTestData(page, api);
    await visit(page, examples, TABS, async (tab, example) => {
      const path = example.path(data);
      const bytes = await scriptBytesOf(tab, () => openIn(tab, example, path, LONGEST));
      expect.soft(bytes, `${example.name}: bytes of scripts`).toBeGreaterThan(0);
      expect.soft(bytes, `${example.name}: bytes of scripts`).toBeLessThanOrEqual(BUDGET_BYTES);
      console.log(`${example.name}: ${(bytes / 1_000).toFixed(1)} kB of compressed scripts.`);
      await checkPage(tab, `page-${example.name}`, info, PAGE_EXAMPLES.indexOf(example));
      await checkWidths(tab, `${example.name}, ${LONGEST}`, MAIN_WIDTHS);
    });
  });

  test(`pages are translated and fit every width in every language: ${names} @long`, async ({ page, api }, info) => {
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

/** Opens a page without the browser's cache. @returns the bytes of the scripts that it loaded */
async function scriptBytesOf(tab: Page, load: () => Promise<void>): Promise<number> {
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const bytes = countScriptBytes(network);
  await load();
  await tab.waitForLoadState('networkidle');
  await network.detach();
  return bytes();
}

function countScriptBytes(network: CDPSession): () => number {
  const scripts = new Set<string>();
  let bytes = 0;
  network.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}
