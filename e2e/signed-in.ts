import { scryptSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { KeptIdentity } from '../app/_keys/identities.ts';
import { sealKeyFile } from '../app/_keys/key-file.ts';
import { newSecret, type OpenedKey, openedKey } from '../app/_keys/secret.ts';

/** The passphrase under which `rememberIn` keeps a key. */
export const PASSPHRASE = 'a cheap passphrase';
/** As cheap to open as the product allows. */
const COST = { N: 2 ** 14, r: 8, p: 1 };

export type Known = Pick<KeptIdentity, 'id' | 'kind' | 'domain'> & Partial<Pick<KeptIdentity, 'backedUp'>>;

export const newOpenedKey = (): Promise<OpenedKey> => openedKey(newSecret());

/** Has a browser know an identity and its key, as if it had been brought there, before the page is opened. */
export async function rememberIn(
  page: Page,
  { id, kind, domain, backedUp = true }: Known,
  key: OpenedKey,
): Promise<void> {
  const derive = async ({ passphrase, salt }: { passphrase: string; salt: Uint8Array }) =>
    scryptSync(passphrase, salt, 32, COST);
  const content = {
    secret: key.secret,
    publicKey: key.publicKey,
    purpose: kind,
    beoDomain: domain,
    createdAt: new Date(),
  };
  const file = await sealKeyFile(content, PASSPHRASE, { derive, cost: COST });
  const usedAt = new Date().toISOString();
  const kept: KeptIdentity = { id, kind, domain, publicKey: key.publicKey, file, passkey: null, backedUp, usedAt };
  await page.goto('/health');
  await page.evaluate(async (identity) => {
    localStorage.setItem('perpetua-known', 'on');
    const opening = indexedDB.open('perpetua-identities', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('identities');
    await new Promise((resolve, reject) => {
      opening.onsuccess = resolve;
      opening.onerror = reject;
    });
    const transaction = opening.result.transaction('identities', 'readwrite');
    transaction.objectStore('identities').put(identity, identity.id);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = reject;
    });
    opening.result.close();
  }, kept);
}
