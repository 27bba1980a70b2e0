import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectStarted } from './hydration.ts';

/** The scripts that a page loads and its HTML does not name. */
async function laterScripts(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text();
  const later: string[] = [];
  page.on('request', (request) => {
    const name = new URL(request.url()).pathname.split('/').at(-1) ?? '';
    if (request.resourceType() === 'script' && !html.includes(name)) later.push(name);
  });
  await page.goto(path);
  await expectStarted(page);
  return later;
}

for (const [path, tier] of [
  ['/', ''],
  ['/create', ' @long'],
  ['/register', ' @long'],
] as const) {
  test(`${path} loads what a later step needs once a key is pressed, and not before${tier}`, async ({ page }) => {
    const later = await laterScripts(page, path);
    expect(later).toEqual([]);
    await page.keyboard.press('Tab');
    await expect.poll(() => later.length).toBeGreaterThan(0);
  });
}

for (const [path, tier] of [
  ['/recover', ''],
  ['/help', ' @long'],
  ['/sign-in', ' @long'],
  ['/sign-in/bring', ' @long'],
  ['/guardian', ' @long'],
] as const) {
  test(`${path} loads no script that its HTML does not name${tier}`, async ({ page }) => {
    expect(await laterScripts(page, path)).toEqual([]);
  });
}

test('/explore shows what the server read, and then loads what reads it again', async ({ page }) => {
  const later = await laterScripts(page, '/explore');
  await expect.poll(() => later.length).toBeGreaterThan(0);
});
