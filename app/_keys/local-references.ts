import { openForBrowser, sealForBrowser } from './browser-seal.ts';
import { withInstitutionStore } from './institution-store.ts';

/** What an institution calls the people it has consents of, by their id; in this browser only, encrypted like a copy of a key. */
export type LocalReferences = ReadonlyMap<string, string>;

export const MAX_REFERENCE = 60;

/** Empty where this browser refuses to store, or has lost them. */
export async function localReferences(ieoId: string): Promise<LocalReferences> {
  const sealed = await withInstitutionStore('references', (store) => store.get(ieoId)).catch(() => undefined);
  const bytes = sealed && (await openForBrowser(ieoId, sealed));
  return new Map<string, string>(bytes ? Object.entries(JSON.parse(new TextDecoder().decode(bytes))) : []);
}

/** Stores the reference of a person; an empty one removes it. @throws {Error} where this browser refuses to store. */
export async function keepLocalReference(ieoId: string, beoId: string, reference: string): Promise<void> {
  const references = new Map(await localReferences(ieoId));
  const text = reference.trim().slice(0, MAX_REFERENCE);
  if (text) references.set(beoId, text);
  else references.delete(beoId);
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(references)));
  const sealed = await sealForBrowser(ieoId, bytes);
  await withInstitutionStore('references', (store) => store.put(ieoId, sealed));
}
