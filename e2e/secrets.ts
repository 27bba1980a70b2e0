import type { Page } from '@playwright/test';
import { expect } from './people.ts';

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Writes down all that a page sends, so that it can be searched for secrets. */
export function listen(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
  return sent;
}

/** Nothing that was sent, that the page shows, or that is kept in the clear holds any of these. */
export async function expectNowhere(page: Page, sent: readonly string[], secrets: readonly string[]): Promise<void> {
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]),
  );
  const open = kept + (await page.content());
  for (const secret of secrets) {
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    expect(open).not.toContain(secret);
  }
}
