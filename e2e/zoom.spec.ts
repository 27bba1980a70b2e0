import { checkWidths, saveScreenshot } from './check-screen.ts';
import { expect, test } from './fixtures.ts';
import { openPage, PAGE_EXAMPLES, signInWithTestData, visit } from './page-examples.ts';

/** A phone of 390 pixels at 200 %. */
const ZOOMED = 195;
const PAGES = new Set(['home', 'create', 'me', 'me-consents', 'guardian-accept']);

test('at 200 % on a phone, what people use first never scrolls sideways @long', async ({ page, api }, info) => {
  const data = await signInWithTestData(page, api);
  const examples = PAGE_EXAMPLES.filter(({ name }) => PAGES.has(name));
  expect(examples.length).toBe(PAGES.size);
  await visit(page, examples, 1, async (tab, { name, path }) => {
    for (const lang of ['en', 'es']) {
      const address = path(data);
      await openPage(tab, `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
      await checkWidths(tab, `${name}, ${lang}`, [ZOOMED]);
      await tab.setViewportSize({ width: ZOOMED, height: 422 });
      await saveScreenshot(tab, `zoom-${name}-${lang}`, info);
    }
  });
});
