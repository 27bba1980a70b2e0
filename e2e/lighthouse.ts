import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { freePort } from '../server/embedded/free-port.ts';
import { castIn, HOSPITAL } from './every-page.ts';
import { expect, test } from './people.ts';

const NEEDED = 95;
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3);
const CATEGORIES = ['performance', 'accessibility'] as const;
/** Lighthouse's names, and ours with the divisor for what is shown. */
const MEASURES = {
  'first-contentful-paint': ['first paint, s', 1_000],
  'largest-contentful-paint': ['largest paint, s', 1_000],
  'total-blocking-time': ['blocked, ms', 1],
  'cumulative-layout-shift': ['layout shift', 1],
  'total-byte-weight': ['weight, kB', 1_000],
} as const;

type Figures = Record<string, number>;

test('the pages that matter most reach 95 of 100 on a phone, in performance and in accessibility', async ({
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
  await castIn(page, api);
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

  const table: Record<string, Figures> = {};
  for (const [name, path] of Object.entries(pages)) {
    const runs: Figures[] = [];
    for (let run = 1; run <= RUNS; run++)
      runs.push(await measure(browser, port, new URL(path, baseURL).href, `${name}-${run}`));
    table[name] = medians(runs);
  }
  await browser.close();

  console.log(`\nLighthouse, simulated mobile, the median of ${RUNS}:`);
  console.table(table);
  for (const [name, figures] of Object.entries(table)) {
    for (const category of CATEGORIES)
      expect.soft(figures[category], `${name}: ${category}`).toBeGreaterThanOrEqual(NEEDED);
  }

  /** One load with an empty cache; what the browser keeps of identities stays. */
  async function measure(context: BrowserContext, port: number, url: string, name: string): Promise<Figures> {
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.detach();
    const { lhr, report } = await traced(url, port);
    await mkdir(info.project.outputDir, { recursive: true });
    await writeFile(join(info.project.outputDir, `${name}.html`), [report].flat()[0] ?? '');
    return {
      ...Object.fromEntries(CATEGORIES.map((key) => [key, Math.round((lhr.categories[key]?.score ?? 0) * 100)])),
      ...Object.fromEntries(
        Object.entries(MEASURES).map(([key, [label, divisor]]) => [
          label,
          (lhr.audits[key]?.numericValue ?? 0) / divisor,
        ]),
      ),
    };
  }
});

const TRACES = 4;

/** Lighthouse loses the beginning of a trace now and then, which says nothing about the page: it is traced again. */
async function traced(url: string, port: number) {
  for (let attempt = 1; ; attempt++) {
    const result = await lighthouse(url, {
      port,
      onlyCategories: [...CATEGORIES],
      disableStorageReset: true,
      output: 'html',
      logLevel: 'error',
    });
    if (!result) throw new Error(`${url} was not measured.`);
    const { runtimeError } = result.lhr;
    if (!runtimeError) return result;
    if (runtimeError.code !== 'NO_NAVSTART' || attempt === TRACES) throw new Error(`${url}: ${runtimeError.message}`);
  }
}

/** Of each figure the one in the middle, or of two the lower; to two decimals. */
function medians(runs: readonly Figures[]): Figures {
  const names = Object.keys(runs[0] ?? {});
  const middle = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? 0;
  return Object.fromEntries(
    names.map((name) => [name, Math.round(middle(runs.map((figures) => figures[name] ?? 0)) * 100) / 100]),
  );
}
