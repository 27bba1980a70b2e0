import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { devices, type Page, type TestInfo } from '@playwright/test';
import type { RunOnly, RunOptions } from 'axe-core';
import { IN_FULL } from '../protocol/test-amount.ts';
import { expect } from './page-errors.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The global that AXE defines in the page. */
declare const axe: typeof import('axe-core');

/** Only on request: they take time. */
const SCREENSHOTS = process.env.SCREENSHOTS === 'on';

const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules whose result depends on the theme. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast'] };

/** The rules whose result depends on the theme or the size. All rules take nearly twice as long. */
const RULES_OF_VIEW: RunOnly = IN_FULL
  ? ALL_RULES
  : { type: 'rule', values: ['color-contrast', 'target-size', 'scrollable-region-focusable'] };

/** What a screen is checked in: both sizes and both themes, in one test, which goes through the steps once. */
const DESKTOP_LIGHT = { size: 'desktop', theme: 'light', window: devices['Desktop Chrome'].viewport } as const;
const PHONE_DARK = { size: 'phone', theme: 'dark', window: devices['Pixel 7'].viewport } as const;

type View = Readonly<Pick<typeof DESKTOP_LIGHT | typeof PHONE_DARK, 'size' | 'window'> & { theme: 'light' | 'dark' }>;

/**
 * Expects nothing wider than a phone. In full, or for screenshots, it looks in both sizes and themes, and expects no accessibility
 * violation: what a step of a page has in common with every page, every-page.spec.ts checks in each run.
 */
export async function checkScreen(page: Page, name: string, info: TestInfo): Promise<void> {
  if (!IN_FULL && !SCREENSHOTS) return checkWidths(page, name, [PHONE_DARK.window.width]);
  await inWindowsOf(page, async () => {
    await checkView(page, name, info, DESKTOP_LIGHT, IN_FULL ? ALL_RULES : null);
    await checkView(page, name, info, PHONE_DARK, IN_FULL ? ALL_RULES : null);
  });
}

/** Expects no violation and nothing too wide in both sizes and themes; in full also in the other theme of each size. */
export async function checkScreenInBothThemes(page: Page, name: string, info: TestInfo): Promise<void> {
  await inWindowsOf(page, async () => {
    await checkView(page, name, info, DESKTOP_LIGHT, ALL_RULES);
    await checkView(page, name, info, PHONE_DARK, RULES_OF_VIEW);
    if (!IN_FULL) return;
    await checkView(page, name, info, { ...DESKTOP_LIGHT, theme: 'dark' }, COLOR_RULES);
    await checkView(page, name, info, { ...PHONE_DARK, theme: 'light' }, COLOR_RULES);
  });
}

/** Expects no accessibility violation and nothing too wide in one size and theme. */
export const checkPage = (page: Page, name: string, info: TestInfo): Promise<void> =>
  inWindowsOf(page, () => checkView(page, name, info, PHONE_DARK, ALL_RULES));

/** Widths in CSS pixels: 320 is also a window of 1280 at 400 %, 640 the same at 200 %, and 3840 is 4K. */
export const ALL_WIDTHS = [320, 360, 640, 700, 775, 1024, 3840];
export const MAIN_WIDTHS = [320, 775, 1280];

/** Expects that the page never scrolls sideways, and leaves the window as it was. */
export async function checkWidths(page: Page, name: string, widths: readonly number[]): Promise<void> {
  await inWindowsOf(page, async ({ height }) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height });
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        if (scrollWidth <= clientWidth) return null;
        const beyond = [...document.body.querySelectorAll('*')].filter(
          (element) => element.getBoundingClientRect().right > clientWidth,
        );
        const innermost = beyond.filter(
          (element) => !beyond.some((other) => other !== element && element.contains(other)),
        );
        return innermost.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 200));
      });
      expect.soft(wide, `${name} at ${width}: scrolls sideways`).toBeNull();
    }
  });
}

/** Runs a check that resizes the window, and restores its size. */
async function inWindowsOf(
  page: Page,
  check: (own: { width: number; height: number }) => Promise<void>,
): Promise<void> {
  const own = page.viewportSize();
  if (!own) throw new Error('A test has a window.');
  await check(own);
  await page.setViewportSize(own);
}

async function checkView(
  page: Page,
  name: string,
  info: TestInfo,
  { size, theme, window }: View,
  runOnly: RunOnly | null,
): Promise<void> {
  await page.setViewportSize(window);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  if (runOnly) expect.soft(await violationsOf(page, runOnly), `${name}, ${size}, ${theme}`).toEqual([]);
  const width = await page.evaluate(async () => {
    await document.fonts.ready;
    return document.documentElement.scrollWidth;
  });
  expect.soft(width, `${name}, ${size}: width`).toBeLessThanOrEqual(window.width);
  await saveScreenshot(page, `${name}-${size}-${theme}`, info);
}

async function violationsOf(page: Page, runOnly: RunOnly): Promise<object[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // Without resultTypes, axe also describes every element that passed, which takes longer than the check.
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  return page.evaluate(async (options) => {
    await document.fonts.ready;
    const { violations } = await axe.run(document, options);
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  }, options);
}

/** Saves the whole page for a person to look at, with SCREENSHOTS=on. */
export async function saveScreenshot(page: Page, name: string, { project }: TestInfo): Promise<void> {
  if (!SCREENSHOTS) return;
  await page.screenshot({
    path: join(project.outputDir, 'screenshots', `${name}.png`),
    fullPage: true,
    // A phone's screenshot in device pixels would take five times as long.
    scale: 'css',
  });
}
