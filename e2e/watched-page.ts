import { test as base, expect, type Page, request as requests } from '@playwright/test';
import { createIdentity, type Identity } from './holder.ts';

interface Watched {
  /** What the browser complained about; every test ends by expecting nothing, unless it expects something itself. */
  complaints: string[];
}

interface PerWorker {
  /** One identity for all tests of a worker: creating them is limited. */
  identity: Identity;
}

/** A page that may not complain on its console, fail in a script, or ask any other host for anything. */
export const test = base.extend<Watched, PerWorker>({
  identity: [
    async ({ browserName: _ }, use) => {
      const request = await requests.newContext({ baseURL: process.env.BASE_URL ?? '' });
      await use(await createIdentity(request));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page, baseURL }, use) => {
      const complaints: string[] = [];
      await watch(page, new URL(baseURL ?? '').host, complaints);
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Runs in the page: it complains whenever it has no title, as while one gives way to the next, or two. */
function watchTitle(): void {
  if (!location.protocol.startsWith('http') || document.contentType !== 'text/html') return;
  const look = () => {
    const { length } = document.querySelectorAll('head > title');
    if (length !== 1 || document.title === '')
      console.error(`${location.pathname}: ${length} titles, “${document.title}”`);
  };
  addEventListener('DOMContentLoaded', () => {
    look();
    new MutationObserver(look).observe(document.head, { subtree: true, childList: true, characterData: true });
  });
}

/** Writes down what a page complains about, and whatever it asks of a host that is not its own. */
export async function watch(page: Page, home: string, complaints: string[]): Promise<void> {
  page.on('console', (message) => {
    const { url } = message.location();
    if (['error', 'warning'].includes(message.type()))
      complaints.push(url ? `${message.text()} ${url}` : message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== home) complaints.push(`asked another host: ${request.url()}`);
  });
  await page.addInitScript(watchTitle);
}

export { expect };
