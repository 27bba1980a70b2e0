import type { Page } from '@playwright/test';
import { expect, test } from './watched-page.ts';

test('at 320 px nothing scrolls sideways, and every button and field is at least 44 px in both directions', async ({
  page,
  identity,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/?domain=${identity.domain}`);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
  for (const control of await page.locator('button:visible, input:visible').all()) {
    const name = (await control.textContent()) ?? '';
    const box = await control.boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.width, name).toBeGreaterThanOrEqual(44);
  }
});

/** How many pixels the page is wider than its window; a phone would zoom out instead of scrolling, so it is asked for its size. */
const sideways = async (page: Page) =>
  (await page.evaluate(() => document.documentElement.scrollWidth)) - (page.viewportSize()?.width ?? 0);

test('nothing moves for those who asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        return animationName !== 'none' || transitionDuration !== '0s';
      }).length,
  );
  expect(moving).toBe(0);
});
