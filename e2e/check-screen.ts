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

/** Expects no accessibility violation and nothing wider than the window, and saves a screenshot. Checks one theme. */
export async function checkScreen(page: Page, name: string, info: TestInfo): Promise<void> {
  await checkInTheme(page, name, info, themeOf(info), ALL_RULES);
}

/** Checks both themes. The second check runs only the rules that depend on the theme; the other project runs all. */
export async function checkScreenInBothThemes(page: Page, name: string, info: TestInfo): Promise<void> {
  await checkScreen(page, name, info);
  await checkInTheme(page, name, info, themeOf(info) === 'light' ? 'dark' : 'light', COLOR_RULES);
}

async function checkInTheme(
  page: Page,
  name: string,
  { project }: TestInfo,
  theme: Theme,
  runOnly: RunOnly,
): Promise<void> {
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
  await page.screenshot({
    path: join(project.outputDir, 'screenshots', `${name}-${project.name.replace(/^.* /, '')}-${theme}.png`),
    fullPage: true,
    // A phone's screenshot in device pixels would take five times as long.
    scale: 'css',
  });
}
