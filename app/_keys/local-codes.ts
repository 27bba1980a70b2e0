import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs } from './read.ts';

/** What an institution calls its tests; in this browser only, encrypted like a copy of a key. */
export interface LocalCodes {
  /** ISO 8601; null before the first is stored. */
  readonly savedAt: string | null;
  /** The codes of biomarkers by the texts of the institution. Case counts: two of its codes may differ in it alone. */
  readonly codes: ReadonlyMap<string, string>;
}

/** Empty where this browser has lost them. */
export async function localCodes(ieoId: string): Promise<Read<LocalCodes>> {
  const sealed = await readIdentityStore('codes', ieoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(ieoId, sealed.value));
  if (!bytes) return readAs({ savedAt: null, codes: new Map() });
  const { savedAt, codes } = JSON.parse(new TextDecoder().decode(bytes));
  return readAs({ savedAt, codes: new Map<string, string>(Object.entries(codes)) });
}

/**
 * Adds codes to the stored ones; an empty one removes its text.
 * @throws {Error} where the storage cannot be read, because the others would be lost, or refuses
 */
export const keepLocalCodes = (ieoId: string, changes: ReadonlyMap<string, string>, now: Date): Promise<void> =>
  // One change at a time, in all tabs.
  navigator.locks.request('perpetua-codes', async () => {
    const before = await localCodes(ieoId);
    if (before.state === 'unreadable') throw new Error('The codes cannot be read.');
    const codes = Object.fromEntries([...before.value.codes, ...changes].filter(([, code]) => code !== ''));
    for (const [text, code] of changes) if (code === '') delete codes[text];
    const bytes = new TextEncoder().encode(JSON.stringify({ savedAt: now.toISOString(), codes }));
    const sealed = await sealForBrowser(ieoId, bytes);
    await withIdentityStore('codes', (store) => store.put(ieoId, sealed));
  });
