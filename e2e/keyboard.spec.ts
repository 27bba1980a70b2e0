import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openPage, PAGE_EXAMPLES, signInWithTestData, visit } from './page-examples.ts';

const TABS = 2;
const MAX_PRESSES = 70;
/** Pages with forms, and those with tables whose headers are hidden on a phone. */
const PAGES = PAGE_EXAMPLES.filter(({ isMain, name, status }) => status === 200 && (isMain || /consents$/.test(name)));

/** Whether the element with the focus can be seen, and has a ring. A date field marks its own parts. Null where nothing has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, innerHeight) / 2];
    const top = document.elementFromPoint(x, y);
    const isSeen =
      box.width > 1 && (top?.contains(element) || element.contains(top) || top?.closest('label')?.control === element);
    const rings = [getComputedStyle(element), getComputedStyle(element, '::after')];
    const hasRing = element.matches('[type=date]') || rings.some(({ outlineStyle }) => outlineStyle !== 'none');
    return { isGood: Boolean(isSeen && hasRing), html: element.outerHTML };
  });

test('what the keyboard reaches on a phone can be seen, and shows that it has the focus @long', async ({
  page,
  api,
}) => {
  const data = await signInWithTestData(page, api);
  await visit(page, PAGES, TABS, async (tab, { name, path, status }) => {
    await openPage(tab, path(data), status);
    const stops: string[] = [];
    for (let presses = 0; presses < MAX_PRESSES; presses++) {
      await tab.keyboard.press('Tab');
      const found = await focused(tab);
      // After the last element, and where what had the focus was replaced as the page became interactive.
      if (!found) continue;
      if (found.html === stops[0]) break;
      stops.push(found.html);
      expect.soft(found.isGood, `${name}: ${found.html.slice(0, 200)}`).toBe(true);
    }
    expect.soft(stops.length, name).toBeGreaterThan(3);
  });
});
