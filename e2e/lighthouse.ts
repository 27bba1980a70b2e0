import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { freePort } from '../server/platform/listening/free-port.ts';
import { expect, test } from './fixtures.ts';
import { HOSPITAL, signInWithTestData } from './page-examples.ts';

const MIN_SCORE = 95;
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const CATEGORIES = ['performance', 'accessibility'] as const;
/** Lighthouse's audits with the name and the divisor of the printed table. */
const METRICS = {
  'first-contentful-paint': ['first contentful paint, s', 1_000],
  'largest-contentful-paint': ['largest contentful paint, s', 1_000],
  'total-blocking-time': ['total blocking time, ms', 1],
  'cumulative-layout-shift': ['layout shift', 1],
  'total-byte-weight': ['total size, kB', 1_000],
} as const;

type Scores = Record<string, number>;

test('the main pages score at least 95 on a phone, in performance and accessibility', async ({
  api,
  baseURL,
}, info) => {
  const port = await freePort();
  const { executablePath, args = [] } = info.project.use.launchOptions ?? {};
  const browser = await chromium.launchPersistentContext(info.outputPath('profile'), {
    ...(executablePath && { executablePath }),
    args: [...args, `--remote-debugging-port=${port}`],
    ...(baseURL && { baseURL }),
    viewport: null,
  });
  const page = await browser.newPage();
  await signInWithTestData(page, api);
  await page.goto('/me/consents');
  await expect(page.getByRole('main').getByText(HOSPITAL).first()).toBeVisible();
  await page.goto('about:blank');
  const invitation = await api.invite(await api.newHolder(), 'primary');
  const pages = {
    home: '/',
    'sign-in': '/sign-in',
    consents: '/me/consents',
    guardian: new URL(invitation.url).pathname,
  };

  const table: Record<string, Scores> = {};
  for (const [name, path] of Object.entries(pages)) {
    const runs: Scores[] = [];
    for (let run = 1; run <= RUNS; run++)
      runs.push(await measure(browser, port, new URL(path, baseURL).href, `${name}-${run}`));
    table[name] = medians(runs);
  }
  await browser.close();

  console.log(`\nLighthouse, simulated mobile, median of ${RUNS}:`);
  console.table(table);
  for (const [name, scores] of Object.entries(table)) {
    for (const category of CATEGORIES)
      expect.soft(scores[category], `${name}: ${category}`).toBeGreaterThanOrEqual(MIN_SCORE);
  }

  /** Measures one load with an empty cache. Stored identities are kept. */
  async function measure(context: BrowserContext, port: number, url: string, name: string): Promise<Scores> {
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.detach();
    const { lhr, report } = await runLighthouse(url, port);
    await mkdir(info.project.outputDir, { recursive: true });
    await writeFile(join(info.project.outputDir, `${name}.html`), [report].flat()[0] ?? '');
    return {
      ...Object.fromEntries(CATEGORIES.map((key) => [key, Math.round((lhr.categories[key]?.score ?? 0) * 100)])),
      ...Object.fromEntries(
        Object.entries(METRICS).map(([key, [label, divisor]]) => [
          label,
          (lhr.audits[key]?.numericValue ?? 0) / divisor,
        ]),
      ),
    };
  }
});

const ATTEMPTS = 4;

/** Lighthouse sometimes loses the start of a trace (NO_NAVSTART), whatever the page; then it runs again. */
async function runLighthouse(url: string, port: number) {
  for (let attempt = 1; ; attempt++) {
    const result = await lighthouse(url, {
      port,
      onlyCategories: [...CATEGORIES],
      disableStorageReset: true,
      output: 'html',
      logLevel: 'error',
    });
    if (!result) throw new Error(`Lighthouse returned no result for ${url}.`);
    const { runtimeError } = result.lhr;
    if (!runtimeError) return result;
    if (runtimeError.code !== 'NO_NAVSTART' || attempt === ATTEMPTS) throw new Error(`${url}: ${runtimeError.message}`);
  }
}

/** The lower median of each score, to two decimals. */
function medians(runs: readonly Scores[]): Scores {
  const names = Object.keys(runs[0] ?? {});
  const middle = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? 0;
  return Object.fromEntries(
    names.map((name) => [name, Math.round(middle(runs.map((scores) => scores[name] ?? 0)) * 100) / 100]),
  );
}
