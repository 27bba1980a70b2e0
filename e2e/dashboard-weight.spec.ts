import type { Page } from '@playwright/test';
import { newCast, open, placesOf, visit } from './every-page.ts';
import { expect, test } from './people.ts';

const BUDGET_BYTES = 250_000;
const TABS = 4;

test('the first load of every page is at most 250 kB of compressed JavaScript', async ({ page, api, complaints }, {
  annotations,
}) => {
  const places = Object.values(placesOf(await newCast(page, api))).flat();
  const weights = new Map<string, number>();
  await visit({ page, complaints }, places, TABS, async (tab, { path, name }) => {
    const weight = await scriptsOf(tab, path);
    weights.set(name, weight);
    expect.soft(weight, path).toBeGreaterThan(0);
    expect.soft(weight, path).toBeLessThanOrEqual(BUDGET_BYTES);
  });
  const heaviest = [...weights].toSorted(([, one], [, other]) => other - one);
  const report = heaviest.map(([name, weight]) => `${name} ${(weight / 1_000).toFixed(1)} kB`).join(', ');
  annotations.push({ type: 'compressed JavaScript of the first load', description: report });
  console.log(`Compressed JavaScript of the first load: ${report}.`);
});

/** Opens a page as if for the first time. @returns the bytes of scripts that came over the network */
async function scriptsOf(tab: Page, path: string): Promise<number> {
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  network.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await open(tab, path);
  await tab.waitForLoadState('networkidle');
  await network.detach();
  return bytes;
}
