import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import type { RunOnly, RunOptions } from 'axe-core';
import { expect } from './page-errors.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The global that AXE defines in the page. */
declare const axe: typeof import('axe-core');

const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules whose result depends on the theme. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast'] };

type Theme = 'light' | 'dark';

/** Light on the desktop and dark on the phone, so that a run checks every screen in both themes and sizes. */
const themeOf = ({ project }: TestInfo): Theme => (project.name.endsWith('phone') ? 'dark' : 'light');

/** Expects no accessibility violation and nothing wider than the window. Checks one theme. */
export async function checkScreen(page: Page, name: string, info: TestInfo): Promise<void> {
  await checkInTheme(page, name, info, themeOf(info), ALL_RULES);
}

/** Checks both themes. The second check runs only the rules that depend on the theme; the other project runs all. */
export async function checkScreenInBothThemes(page: Page, name: string, info: TestInfo): Promise<void> {
  await checkScreen(page, name, info);
  await checkInTheme(page, name, info, themeOf(info) === 'light' ? 'dark' : 'light', COLOR_RULES);
}

/** Widths in CSS pixels: 320 is also a window of 1280 at 400 %, 640 the same at 200 %, and 3840 is 4K. */
const WIDTHS = [320, 360, 640, 700, 775, 1024, 3840];

/** Expects that the page never scrolls sideways, and leaves the window as it was. */
export async function checkWidths(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  if (!size) throw new Error('A test has a window.');
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...size, width });
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? scrollWidth : null;
    });
    expect.soft(wide, `${name} at ${width}: scrolls sideways`).toBeNull();
  }
  await page.setViewportSize(size);
}

async function checkInTheme(page: Page, name: string, info: TestInfo, theme: Theme, runOnly: RunOnly): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // Without resultTypes, axe also describes every element that passed, which takes longer than the check.
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const { violations, width } = await page.evaluate(async (options) => {
    await document.fonts.ready;
    const { violations } = await axe.run(document, options);
    return {
      violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
      width: document.documentElement.scrollWidth,
    };
  }, options);
  expect.soft(violations, `${name}, ${theme}`).toEqual([]);
  expect.soft(width, `${name}: width`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await saveScreenshot(page, `${name}-${theme}`, info);
}

/** Saves the whole page for a person to look at. Only with SCREENSHOTS=on: it takes time. */
export async function saveScreenshot(page: Page, name: string, { project }: TestInfo): Promise<void> {
  if (process.env.SCREENSHOTS !== 'on') return;
  const size = project.name.replace(/^.* /, '');
  await page.screenshot({
    path: join(project.outputDir, 'screenshots', `${name}-${size}.png`),
    fullPage: true,
    // A phone's screenshot in device pixels would take five times as long.
    scale: 'css',
  });
}
