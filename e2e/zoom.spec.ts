import { checkWidths, saveScreenshot } from './check-screen.ts';
import { expect, test } from './fixtures.ts';
import { openPage, PAGE_EXAMPLES, type PageExample, signInWithTestData, visit } from './page-examples.ts';

/** A phone of 390 pixels at 200 %. */
const ZOOMED = 195;
/** What people use first: in more than one language. The rest in the longest words that it has. */
const FIRST = new Set(['home', 'create', 'me', 'me-consents', 'guardian-accept']);
const languagesOf = (name: string) => (FIRST.has(name) ? ['en', 'es', 'pt-BR'] : ['es']);

test('at 200 % on a phone, no page scrolls sideways @long', async ({ page, api }, info) => {
  const data = await signInWithTestData(page, api);
  const examples = PAGE_EXAMPLES.filter(({ isMain }) => isMain);
  expect(examples.filter(({ name }) => FIRST.has(name))).toHaveLength(FIRST.size);
  await visit(page, examples, 2, async (tab, { name, path, status }: PageExample) => {
    for (const lang of languagesOf(name)) {
      const address = path(data);
      await openPage(tab, `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`, status);
      await checkWidths(tab, `${name}, ${lang}`, [ZOOMED]);
      await tab.setViewportSize({ width: ZOOMED, height: 422 });
      await saveScreenshot(tab, `zoom-${name}-${lang}`, info);
    }
  });
});
