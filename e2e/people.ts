import type { BrowserContextOptions, Page } from '@playwright/test';
import { createTranslator } from 'use-intl/core';
import type { Language } from '../messages/languages.ts';
import { type Messages, messagesIn } from '../messages/messages.ts';
import { type Api, apiOf } from './api.ts';
import { expect, watch, test as watched } from './watched-page.ts';

interface People {
  /** What programs do: a holder's, a guardian's who does not use the page. */
  api: Api;
  /** A browser of somebody else, of the same size and watched as well; nothing is shared with that of `page`. */
  another: (options?: BrowserContextOptions) => Promise<Page>;
}

const addresses = { last: 0 };

/** The limits of the product are counted by address, so each person has one. `setup` makes the product believe it. */
export function freshAddress(): Record<'x-forwarded-for', string> {
  const number = ++addresses.last;
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0) % 256;
  return { 'x-forwarded-for': `10.${worker}.${(number >> 8) % 256}.${number % 256}` };
}

export const test = watched.extend<People>({
  extraHTTPHeaders: async ({ browserName: _ }, use) => use(freshAddress()),
  api: async ({ request }, use) => use(apiOf(request, freshAddress)),
  another: async ({ browser, baseURL, complaints }, use) => {
    const opened: Page[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ extraHTTPHeaders: freshAddress(), ...options });
      const page = await context.newPage();
      await watch(page, new URL(baseURL ?? '').host, complaints);
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});

/** The sentences of the pages, as the product has them. */
export const sayIn = (locale: Language) =>
  createTranslator<Messages>({ locale, messages: messagesIn(locale), timeZone: 'UTC' });

export type Say = ReturnType<typeof sayIn>;

/** Opens a page that does not answer with 200, which browsers complain about. */
export async function openClosed(page: Page, complaints: string[], address: string, status: number): Promise<void> {
  expect((await page.goto(address))?.status()).toBe(status);
  await pardon(complaints, `status of ${status}`);
}

/** Takes back complaints that a test has provoked; there must be one. */
export async function pardon(complaints: string[], part: string): Promise<void> {
  await expect.poll(() => complaints.some((text) => text.includes(part)), `a complaint about “${part}”`).toBe(true);
  overlook(complaints, part);
}

/** The same for complaints that may or may not have come. */
export function overlook(complaints: string[], part: string): void {
  for (let index = complaints.length - 1; index >= 0; index--) {
    if (complaints[index]?.includes(part)) complaints.splice(index, 1);
  }
}

export { expect };
