import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, TestInfo } from '@playwright/test';
import { LANGUAGES } from '../messages/languages.ts';
import { messagesIn } from '../messages/messages.ts';
import { currentBuild, folderOf } from '../server/launch/builds.mjs';
import { linkFor, newKey } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { clickThroughInvitation, expectScreen, keepKeyAsFile } from './page-actions.ts';

const t = translatorFor('en');
/** Before the person does anything. */
const FIRST_BYTES = 170_000;
const BUDGET_BYTES = 220_000;
/** The estimator of passphrases, which is loaded with the form that asks for one. */
const ESTIMATOR_BYTES = 300_000;
/** The "Slow 4G" of Chromium's developer tools, in bytes per second and ms. */
const SLOW_4G = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 };
const SLOWDOWN = 4;

test('an invitation loads at most 170 kB of compressed JavaScript at first, and 220 kB before it asks for a passphrase', async ({
  page,
  api,
}, testInfo) => {
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
  await clickThroughInvitation(page, t, holder.domain);
  await page.waitForLoadState('networkidle');
  const before = await total();
  await keepKeyAsFile(page, t);
  await expectScreen(page, t('accept.accept.title', { domain: holder.domain }));
  const all = await total();
  report(
    testInfo,
    'compressed JavaScript of the acceptance page',
    `${kB(first)} at first, ${kB(before)} before the passphrase, ${kB(all)} once the key is kept`,
  );
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(FIRST_BYTES);
  expect(before).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(all).toBeLessThanOrEqual(BUDGET_BYTES + ESTIMATOR_BYTES);
});

test('scripts contain no messages, because a page receives only those that it shows', () => {
  const built = join(folderOf('.build', 'pages', currentBuild('.build') ?? ''), 'static');
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const scripts = files.map((name) => readFileSync(join(built, name), 'utf8'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const { accept, home, letters, safety } of LANGUAGES.map(messagesIn)) {
    const sentences = plainSentences({ accept, home, letters, safety });
    expect(sentences.length).toBeGreaterThan(5);
    expect(sentences.filter((sentence) => scripts.some((script) => script.includes(sentence)))).toEqual([]);
  }
});

/** Messages that a script would contain verbatim: long ones whose characters need no escaping. */
const plainSentences = (section: object): string[] =>
  Object.values(section).flatMap((value: unknown) => {
    if (typeof value === 'object' && value !== null) return plainSentences(value);
    return typeof value === 'string' && /^[\w ,.:;?]{30,}$/.test(value) ? [value] : [];
  });

test('reports how long the guardian pages take to respond on a slow phone @long', async ({
  page,
  newUser,
  api,
}, testInfo) => {
  const holder = await api.newHolder();
  const { url } = await api.invite(holder, 'primary');
  const { holder: other } = await api.newGuardedHolder();
  const request = await api.requestRecovery(other, newKey().publicKey);
  const link = (user: Page, name: string) => user.getByRole('link', { name, exact: true });

  const accepting = await measure(page, url, link(page, t('accept.who.yes')));
  report(testInfo, 'time until the acceptance page responds', accepting);
  const guardian = await newUser();
  const confirming = await measure(guardian, linkFor(request, 'primary'), link(guardian, t('guardian.continue')));
  report(testInfo, 'time until the confirmation page responds', confirming);
  const holderPage = await newUser();
  const recovering = await measure(
    holderPage,
    `/recover?domain=${other.domain}`,
    link(holderPage, t('recover.found.next')),
  );
  report(testInfo, 'time until the recovery page responds', recovering);
});

/** Opens a page as a mid-range phone on slow 4G. @returns when it is readable, and when its scripts handle a click */
async function measure(page: Page, address: string, control: Locator): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address, { waitUntil: 'commit' });
  await control.waitFor();
  const interactive = await control.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const check = () => {
          const isHydrated = Object.keys(element).some((name) => name.startsWith('__reactProps'));
          return isHydrated ? resolve(performance.now()) : requestAnimationFrame(check);
        };
        check();
      }),
  );
  const readable = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  return `readable after ${(readable / 1_000).toFixed(1)} s, interactive after ${(interactive / 1_000).toFixed(1)} s`;
}

function report({ annotations }: TestInfo, type: string, description: string): void {
  annotations.push({ type, description });
  console.log(`${type}: ${description}.`);
}

const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
