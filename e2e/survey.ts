import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page, TestInfo } from '@playwright/test';
import { expect } from './watched-page.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Theme = 'light' | 'dark';

/** In the light theme on the desktop and in the dark one on the phone, so that a run sees every screen in both themes and both sizes. */
const themeOf = ({ project }: TestInfo): Theme => (project.name.endsWith('phone') ? 'dark' : 'light');

/** Looks at a screen in one theme: no accessibility violation, nothing wider than the window, a picture for the record. */
export async function survey(page: Page, name: string, info: TestInfo): Promise<void> {
  await look(page, name, info, themeOf(info), new AxeBuilder({ page }).withTags(RULES));
}

/** The same in both themes; in the second, of which the other project sees everything, only what a theme can change is looked at. */
export async function surveyInBothThemes(page: Page, name: string, info: TestInfo): Promise<void> {
  await survey(page, name, info);
  const other = themeOf(info) === 'light' ? 'dark' : 'light';
  await look(page, name, info, other, new AxeBuilder({ page }).withRules(['color-contrast']));
}

async function look(page: Page, name: string, { project }: TestInfo, theme: Theme, axe: AxeBuilder): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate(() => document.fonts.ready);
  // Without frames there is nothing to put together in a page apart, which takes as long as the looking.
  const { violations } = await axe.setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  expect.soft(found, `${name}, ${theme}`).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(width, `${name}: width`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await page.screenshot({
    path: join(project.outputDir, 'screenshots', `${name}-${project.name.replace(/^.* /, '')}-${theme}.png`),
    fullPage: true,
  });
}
