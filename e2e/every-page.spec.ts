import type { CDPSession, Page } from '@playwright/test';
import { titleAt } from '../app/_ui/title-at.ts';
import { titlesBy } from '../app/titles.ts';
import { messagesIn } from '../messages/messages.ts';
import { castIn, open, PLACES, type Place, visit } from './every-page.ts';
import { expect, sayIn, test } from './people.ts';
import { surveyInBothThemes } from './survey.ts';

const BUDGET_BYTES = 250_000;
const TABS = 2;
const PLACES_OF_A_TEST = 6;
/** What is shown in place of a sentence that is missing: its path. */
const UNSAID = new RegExp(`\\b(${Object.keys(messagesIn('en')).join('|')})(\\.[a-zA-Z]\\w*)+\\b`);
/** What a page of several steps adds to its title. */
const STEP = / \(\d+ de \d+\)/;

for (let at = 0; at < PLACES.length; at += PLACES_OF_A_TEST) {
  const places = PLACES.slice(at, at + PLACES_OF_A_TEST);
  test(`in both themes and another language, with at most 250 kB of scripts: ${places.map(({ name }) => name).join(', ')}`, async ({
    page,
    api,
  }, info) => {
    const lang = info.project.name.endsWith('phone') ? 'es' : 'pt-BR';
    const titles = titlesBy(sayIn(lang));
    const cast = await castIn(page, api);
    await visit(page, places, TABS, async (tab, place) => {
      const path = place.path(cast);
      const weight = await scriptsOf(tab, () => open(tab, path, place.status));
      expect.soft(weight, `${place.name}: bytes of scripts`).toBeGreaterThan(0);
      expect.soft(weight, `${place.name}: bytes of scripts`).toBeLessThanOrEqual(BUDGET_BYTES);
      console.log(`${info.project.name}, ${place.name}: ${(weight / 1_000).toFixed(1)} kB of compressed scripts.`);
      await surveyInBothThemes(tab, `page-${place.name}`, info);
      await expectLanguage(tab, place, path, lang, titles);
    });
  });
}

async function expectLanguage(
  tab: Page,
  { name, status }: Place,
  path: string,
  lang: 'pt-BR' | 'es',
  titles: ReturnType<typeof titlesBy>,
): Promise<void> {
  await open(tab, `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, status);
  await expect.soft(tab.locator('html'), name).toHaveAttribute('lang', lang);
  const title = await tab.title();
  expect.soft(title, name).not.toMatch(UNSAID);
  const segments = new URL(tab.url()).pathname
    .replace(/^\/api\//, '/')
    .split('/')
    .filter(Boolean);
  expect.soft(title.replace(STEP, ''), name).toBe(titleAt(titles, segments));
  expect.soft(await tab.locator('body').innerText(), name).not.toMatch(UNSAID);
}

/** Opens a page as if for the first time. @returns the bytes of scripts that came over the network */
async function scriptsOf(tab: Page, opening: () => Promise<void>): Promise<number> {
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const bytes = bytesOfScripts(network);
  await opening();
  await tab.waitForLoadState('networkidle');
  await network.detach();
  return bytes();
}

function bytesOfScripts(network: CDPSession): () => number {
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
