import type { Page } from '@playwright/test';
import type { KeptIdentity } from '../app/_keys/identities.ts';
import { newSecret, type OpenedKey, openedKey } from '../app/_keys/secret.ts';
import { type Api, type Holder, keyOfSeed } from './api.ts';
import { expect, type Translator } from './fixtures.ts';
import { PASSPHRASE, sealKey } from './key-files.ts';

type Identity = Pick<KeptIdentity, 'id' | 'kind' | 'domain'> & Partial<Pick<KeptIdentity, 'backedUp' | 'copyBy'>>;

export const newOpenedKey = (): Promise<OpenedKey> => openedKey(newSecret());

/** Creates a holder and stores the identity and its key in a browser. */
export async function newStoredHolder(page: Page, api: Api): Promise<Holder> {
  const key = await newOpenedKey();
  const holder = await api.newHolder(keyOfSeed(key.seed));
  await storeIdentity(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);
  return holder;
}

/** Stores an identity and its key, encrypted under PASSPHRASE, in a browser, as signing in there does. @returns the text of its key file */
export async function storeIdentity(
  page: Page,
  { id, kind, domain, backedUp = true, copyBy }: Identity,
  key: OpenedKey,
): Promise<string> {
  const file = await sealKey({
    secret: key.secret,
    publicKey: key.publicKey,
    purpose: kind,
    beoDomain: domain,
    createdAt: new Date(),
  });
  const usedAt = new Date().toISOString();
  const { publicKey } = key;
  const kept = { id, kind, domain, publicKey, file, passkey: null, backedUp, usedAt };
  const stored: KeptIdentity = { ...kept, ...(copyBy && { copyBy }) };
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
  }, stored);
  return file;
}

/** The key dialog. */
export const keyDialog = (page: Page, t: Translator) => page.getByRole('dialog', { name: t('session.unlock.title') });

/** Enters the passphrase in the key dialog, whose field has a label of its own where a new passphrase is involved. */
export async function unlockKey(
  page: Page,
  t: Translator,
  passphrase = PASSPHRASE,
  label: string = t('keys.passphrase.label'),
): Promise<void> {
  const dialog = keyDialog(page, t);
  await dialog.getByLabel(label, { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: t('session.unlock.open'), exact: true }).click();
  await expect(dialog).toBeHidden();
}
