import type { BrowserContextOptions, Page } from '@playwright/test';
import { createTranslator } from 'use-intl/core';
import type { Language } from '../messages/languages.ts';
import { type Messages, messagesIn } from '../messages/messages.ts';
import { type Api, apiOf } from './api.ts';
import { NO_RESPONSE } from './firefox-esr.ts';
import { test as base, collectPageErrors, expect } from './page-errors.ts';

interface Fixtures {
  /** Requests that a test sends without a browser. */
  api: Api;
  /** A page of another user: a separate browser context of the same size, whose errors are collected too. */
  newUser: (options?: BrowserContextOptions) => Promise<Page>;
}

const addresses = { last: 0 };

/** A client address that no other user has, because rate limits count by address. The product runs with TRUST_PROXY. */
export function newClientAddress(): Record<'x-forwarded-for', string> {
  const number = ++addresses.last;
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0) % 256;
  return { 'x-forwarded-for': `10.${worker}.${(number >> 8) % 256}.${number % 256}` };
}

export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({ browserName: _ }, use) => use(newClientAddress()),
  api: async ({ request }, use) => use(apiOf(request, newClientAddress)),
  newUser: async ({ browser, baseURL, pageErrors }, use) => {
    const opened: Page[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ extraHTTPHeaders: newClientAddress(), ...options });
      const page = await context.newPage();
      await collectPageErrors(page, new URL(baseURL ?? '').host, pageErrors);
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});

/** Looks up the messages of the pages in a language. */
export const translatorFor = (locale: Language) =>
  createTranslator<Messages>({ locale, messages: messagesIn(locale), timeZone: 'UTC' });

export type Translator = ReturnType<typeof translatorFor>;

/** Opens a page whose status is not 200, which browsers log as an error. */
export async function openWithStatus(page: Page, pageErrors: string[], address: string, status: number): Promise<void> {
  expect((await page.goto(address))?.status()).toBe(status);
  await expectPageError(pageErrors, `status of ${status}`);
}

/** Expects at least one page error that contains a text, and removes it from the list. */
export async function expectPageError(pageErrors: string[], part: string): Promise<void> {
  await expect.poll(() => pageErrors.some((text) => text.includes(part)), `a page error with “${part}”`).toBe(true);
  ignorePageErrors(pageErrors, part);
}

/** Removes the page errors that contain a text. There may be none. */
export function ignorePageErrors(pageErrors: string[], part: string): void {
  for (let index = pageErrors.length - 1; index >= 0; index--) {
    if (pageErrors[index]?.includes(part)) pageErrors.splice(index, 1);
  }
}

export { expect, NO_RESPONSE };
