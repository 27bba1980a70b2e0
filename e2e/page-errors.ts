import { test as base, expect, type Page, request as requests } from '@playwright/test';
import { IN_FULL } from '../protocol/test-amount.ts';
import { createIdentity, type Identity } from './create-identity.ts';
import { CANCELLED_FONT, prepareFirefox } from './firefox-esr.ts';

interface Fixtures {
  /** What collectPageErrors found. A test fails if it does not remove the errors that it expects. */
  pageErrors: string[];
}

interface WorkerFixtures {
  /** One identity for all tests of a worker, because creation is rate-limited. */
  identity: Identity;
}

/** A test fails if its page logs an error or a warning, throws, or sends a request to another host. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  identity: [
    async ({ browserName: _ }, use) => {
      const request = await requests.newContext({ baseURL: process.env.BASE_URL ?? '' });
      await use(await createIdentity(request));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  pageErrors: [
    async ({ page, baseURL }, use) => {
      const pageErrors: string[] = [];
      await collectPageErrors(page, new URL(baseURL ?? '').host, pageErrors);
      await use(pageErrors);
      expect(pageErrors).toEqual([]);
    },
    { auto: true },
  ],
});

/** Runs in the page: logs an error whenever the page has no title, or two, also during a navigation. */
function checkTitle(): void {
  if (!location.protocol.startsWith('http') || document.contentType !== 'text/html') return;
  const check = () => {
    const { length } = document.querySelectorAll('head > title');
    if (length !== 1 || document.title === '')
      console.error(`${location.pathname}: ${length} titles, “${document.title}”`);
  };
  addEventListener('DOMContentLoaded', () => {
    check();
    new MutationObserver(check).observe(document.head, { subtree: true, childList: true, characterData: true });
  });
}

/** Runs in the page: derives keys at the lowest cost that the product accepts. The file still states the cost of the product. */
function deriveCheaply(): void {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message: { readonly cost?: { readonly N: number } }) {
    const { cost } = message;
    postMessage.call(this, cost ? { ...message, cost: { ...cost, N: Math.min(cost.N, 2 ** 14) } } : message);
  };
}

/** Collects what a page logs or throws, and its requests to hosts other than its own. */
export async function collectPageErrors(page: Page, ownHost: string, pageErrors: string[]): Promise<void> {
  page.on('console', (message) => {
    const { url } = message.location();
    if (['error', 'warning'].includes(message.type()))
      pageErrors.push(url ? `${message.text()} ${url}` : message.text());
  });
  if (page.context().browser()?.browserType().name() === 'firefox') await prepareFirefox(page, pageErrors);
  page.on('pageerror', ({ message }) => {
    if (!message.includes(CANCELLED_FONT)) pageErrors.push(message);
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== ownHost) pageErrors.push(`request to another host: ${request.url()}`);
  });
  await page.addInitScript(checkTitle);
  if (!IN_FULL) await page.context().addInitScript(deriveCheaply);
}

export { expect };
