import type { Page } from '@playwright/test';
import { surveyInBothThemes } from './survey.ts';
import { expect, test } from './watched-page.ts';

const BUDGET_BYTES = 250_000;

const STATES = {
  home: () => '/',
  found: (domain: string) => `/?domain=${domain}`,
  'not-found': () => '/?domain=nobody-has-this',
  malformed: () => '/?domain=not_a_domain!',
  'no-page': () => '/there/is/no/such/page',
};

for (const [name, path] of Object.entries(STATES)) {
  test(`${name}, in both themes: no accessibility violation, no sideways scrolling, a picture for the record`, async ({
    page,
    identity,
    complaints,
  }, info) => {
    await page.goto(path(identity.domain));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await surveyInBothThemes(page, name, info);
    if (name === 'no-page') complaints.length = 0;
  });
}

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

test('the first page loads at most 250 kB of compressed JavaScript', async ({ page, identity }, testInfo) => {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const weights = { Script: 0, Stylesheet: 0, Font: 0, Document: 0 };
  const kinds = new Map<string, string>();
  network.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind && kind in weights) weights[kind as keyof typeof weights] += encodedDataLength;
  });
  await page.goto(`/?domain=${identity.domain}`, { waitUntil: 'networkidle' });
  const report = Object.entries(weights).map(([kind, bytes]) => `${kind} ${(bytes / 1_000).toFixed(1)} kB`);
  testInfo.annotations.push({ type: 'compressed weight', description: report.join(', ') });
  console.log(`The first page, compressed: ${report.join(', ')}.`);
  expect(weights.Script).toBeGreaterThan(0);
  expect(weights.Script).toBeLessThanOrEqual(BUDGET_BYTES);
});
