import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { readIdentityStore, withIdentityStore } from './identity-store.ts';
import { type Read, readAs } from './read.ts';

/** What an institution calls the people it has consents of, by their id; in this browser only, encrypted like a copy of a key. */
export type LocalReferences = ReadonlyMap<string, string>;

export const MAX_REFERENCE = 60;

/** Empty where this browser has lost them. */
export async function localReferences(ieoId: string): Promise<Read<LocalReferences>> {
  const sealed = await readIdentityStore('references', ieoId);
  if (sealed.state === 'unreadable') return sealed;
  const bytes = sealed.value && (await openForBrowser(ieoId, sealed.value));
  return readAs(new Map<string, string>(bytes ? Object.entries(JSON.parse(new TextDecoder().decode(bytes))) : []));
}

/**
 * Stores the reference of a person; an empty one removes it.
 * @throws {Error} where the storage cannot be read, because the others would be lost, or refuses
 */
export const keepLocalReference = (ieoId: string, beoId: string, reference: string): Promise<void> =>
  // One change at a time, in all tabs.
  navigator.locks.request('perpetua-references', async () => {
    const before = await localReferences(ieoId);
    if (before.state === 'unreadable') throw new Error('The references cannot be read.');
    const references = new Map(before.value);
    const text = reference.trim();
    if (text) references.set(beoId, text);
    else references.delete(beoId);
    const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(references)));
    const sealed = await sealForBrowser(ieoId, bytes);
    await withIdentityStore('references', (store) => store.put(ieoId, sealed));
  });
