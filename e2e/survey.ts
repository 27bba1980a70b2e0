import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import type { RunOnly, RunOptions } from 'axe-core';
import { expect } from './watched-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What AXE defines in a page. */
declare const axe: typeof import('axe-core');

const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules whose result depends on the theme. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast'] };

type Theme = 'light' | 'dark';

/** The light theme on the desktop and the dark one on the phone, so that a run checks every screen in both themes and both sizes. */
const themeOf = ({ project }: TestInfo): Theme => (project.name.endsWith('phone') ? 'dark' : 'light');

/** Checks a screen in one theme: no accessibility violation, and nothing wider than the window. Saves a screenshot. */
export async function survey(page: Page, name: string, info: TestInfo): Promise<void> {
  await check(page, name, info, themeOf(info), ALL_RULES);
}

/** Checks a screen in both themes. The second check runs only the rules that depend on the theme; the other project runs them all. */
export async function surveyInBothThemes(page: Page, name: string, info: TestInfo): Promise<void> {
  await survey(page, name, info);
  await check(page, name, info, themeOf(info) === 'light' ? 'dark' : 'light', COLOR_RULES);
}

async function check(page: Page, name: string, { project }: TestInfo, theme: Theme, runOnly: RunOnly): Promise<void> {
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
    // In device pixels, a phone's screenshot takes five times as long.
    scale: 'css',
  });
}
