import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page, TestInfo } from '@playwright/test';
import { expect } from './watched-page.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Looks at a screen: no accessibility violation, nothing wider than the window, a picture for the record. In the light theme on
 * the desktop and in the dark one on the phone, so that a run sees every screen in both themes and both sizes.
 */
export async function survey(page: Page, name: string, { project }: TestInfo): Promise<void> {
  const theme = project.name.endsWith('phone') ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate(() => document.fonts.ready);
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  expect.soft(found, `${name}, ${theme}`).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(width, `${name}: width`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await page.screenshot({
    path: join(project.outputDir, 'screenshots', `${name}-${project.name.replace(/^.* /, '')}-${theme}.png`),
    fullPage: true,
  });
}
