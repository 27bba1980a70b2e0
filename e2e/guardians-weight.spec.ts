import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, TestInfo } from '@playwright/test';
import { LANGUAGES } from '../messages/languages.ts';
import { messagesIn } from '../messages/messages.ts';
import { linkFor, newKey } from './api.ts';
import { expect, sayIn, test } from './people.ts';
import { keepAsFile, onScreen, readInvitation } from './steps.ts';

const say = sayIn('en');
const BUDGET_BYTES = 220_000;
/** As Chromium's own tools have it: 1.6 Mbit/s down, 750 kbit/s up, of which nine tenths arrive; bytes per second, ms. */
const SLOW_4G = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 };
const SLOWDOWN = 4;

test(
  'an invitation loads at most 220 kB of compressed JavaScript until the key is kept',
  { tag: '@phone' },
  async ({ page, api }, testInfo) => {
    const holder = await api.newHolder();
    const { url } = await api.invite(holder, 'primary');
    const scripts = new Map<string, Promise<number>>();
    page.on('requestfinished', (request) => {
      if (!new URL(request.url()).pathname.endsWith('.js')) return;
      scripts.set(
        request.url(),
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
    });
    const total = async () => (await Promise.all(scripts.values())).reduce((sum, bytes) => sum + bytes, 0);

    await page.goto(url, { waitUntil: 'networkidle' });
    const first = await total();
    await readInvitation(page, say, holder.domain);
    await keepAsFile(page, say);
    await onScreen(page, say('accept.accept.title', { domain: holder.domain }));
    const all = await total();
    report(
      testInfo,
      'compressed JavaScript of the acceptance page',
      `${kB(first)} at first, ${kB(all)} once the key is kept`,
    );
    expect(first).toBeGreaterThan(0);
    expect(all).toBeLessThanOrEqual(BUDGET_BYTES);
  },
);

test('no script holds messages: a page is sent those that it shows', { tag: '@phone' }, () => {
  const built = join('.next', 'static');
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const scripts = files.map((name) => readFileSync(join(built, name), 'utf8'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const { accept, home, letters, safety } of LANGUAGES.map(messagesIn)) {
    const sentences = plainSentences({ accept, home, letters, safety });
    expect(sentences.length).toBeGreaterThan(5);
    expect(sentences.filter((sentence) => scripts.some((script) => script.includes(sentence)))).toEqual([]);
  }
});

/** Those that stand in a script as they stand in the messages: long enough, and of characters that nothing escapes. */
const plainSentences = (section: object): string[] =>
  Object.values(section).flatMap((value: unknown) => {
    if (typeof value === 'object' && value !== null) return plainSentences(value);
    return typeof value === 'string' && /^[\w ,.:;?]{30,}$/.test(value) ? [value] : [];
  });

test(
  'how long each page takes to work on a slow phone is written down',
  { tag: '@phone' },
  async ({ page, another, api }, testInfo) => {
    const holder = await api.newHolder();
    const { url } = await api.invite(holder, 'primary');
    const { holder: other } = await api.guarded();
    const request = await api.askForRecovery(other, newKey().publicKey);
    const link = (somebody: Page, name: string) => somebody.getByRole('link', { name, exact: true });

    const accepting = await timed(page, url, link(page, say('accept.who.yes')));
    report(testInfo, 'time to a working acceptance page', accepting);
    const guardian = await another();
    const confirming = await timed(guardian, linkFor(request, 'primary'), link(guardian, say('guardian.continue')));
    report(testInfo, 'time to a working confirmation page', confirming);
    const asker = await another();
    const asking = await timed(asker, `/recover?domain=${other.domain}`, link(asker, say('recover.found.next')));
    report(testInfo, 'time to a working recovery page', asking);
  },
);

/** Opens a page as a mid-range phone would over slow 4G, and says when it could be read, and when a press is answered by its scripts. */
async function timed(page: Page, address: string, control: Locator): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit' });
  await control.waitFor();
  const working = await control.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const taken = Object.keys(element).some((name) => name.startsWith('__reactProps'));
          return taken ? resolve(performance.now()) : requestAnimationFrame(look);
        };
        look();
      }),
  );
  const readable = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  return `to be read after ${(readable / 1_000).toFixed(1)} s, works after ${(working / 1_000).toFixed(1)} s`;
}

function report({ annotations, project }: TestInfo, type: string, description: string): void {
  annotations.push({ type, description });
  console.log(`${project.name}, ${type}: ${description}.`);
}

const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
