import type { BrowserContext } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PAGE_EXAMPLES, signInWithTestData } from './page-examples.ts';

const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const BYTES_PER_SECOND = 400_000;
const CPU_SLOWDOWN = 4;
const LATENCY_MS = 40;
const TARGET_MS = 2_500;

test('every page paints its largest content on a slow phone', async ({ browser, api }) => {
  const table: Record<string, { 'largest contentful paint, s': number; 'over 2.5 s'?: 'yes' }> = {};
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  });
  const page = await phone.newPage();
  const data = await signInWithTestData(page, api);
  for (const { name, path, status } of PAGE_EXAMPLES) {
    if (status !== 200) continue;
    const runs: number[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await paintTime(phone, path(data)));
    const median = runs.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
    table[name] = { 'largest contentful paint, s': median / 1_000, ...(median > TARGET_MS && { 'over 2.5 s': 'yes' }) };
  }
  await phone.close();
  console.log(
    `\nLargest contentful paint at ${BYTES_PER_SECOND / 1_000} kB/s, processor ${CPU_SLOWDOWN} times slower, median of ${RUNS}:`,
  );
  console.table(table);
  expect(Object.keys(table).length).toBeGreaterThan(30);
});

/** Opens a page in a new tab without a cache. @returns ms until the largest content was painted */
async function paintTime(phone: BrowserContext, path: string): Promise<number> {
  const page = await phone.newPage();
  const network = await phone.newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await network.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) document.documentElement.dataset.paint = String(startTime);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  const painted = page.locator('html[data-paint]');
  await painted.waitFor();
  const time = Number(await painted.getAttribute('data-paint'));
  await page.close();
  return time;
}
