import type { Page } from '@playwright/test';
import { readWords } from '../app/_keys/secret.ts';
import { expect } from './fixtures.ts';

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The entropy that 24 words stand for. */
export async function entropyOf(words: readonly string[]): Promise<Uint8Array> {
  const result = await readWords(words);
  if ('problem' in result) throw new Error(`Not the words of a key: ${result.problem.kind}`);
  return result.entropy;
}

/** Records the address and body of every request of a page. */
export function recordRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
  return sent;
}

/** Expects that no request, nothing on the page and nothing stored unencrypted contains a secret. */
export async function expectNoSecrets(page: Page, sent: readonly string[], secrets: readonly string[]): Promise<void> {
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state]),
  );
  const unencrypted = stored + (await page.content());
  for (const secret of secrets) {
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    expect(unencrypted).not.toContain(secret);
  }
}

/** The names of the keys that a browser stores without a passphrase. */
export const unencryptedKeys = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('perpetua-keys', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('copies');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const reading = database.transaction('copies').objectStore('copies').getAllKeys();
    return new Promise<string[]>((resolve, reject) => {
      reading.onsuccess = () => resolve(reading.result.map(String));
      reading.onerror = () => reject(reading.error);
    });
  });
