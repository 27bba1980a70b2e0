import type { SealedForBrowser } from './browser-seal.ts';
import type { Read } from './read.ts';
import { type BrowserStore, readStore, withStore } from './store.ts';

/** What a person or an institution keeps in this browser besides their key, encrypted, by the id. */
export const PLACES = {
  invitations: { database: 'perpetua-invitations', store: 'links' },
  references: { database: 'perpetua-references', store: 'references' },
  codes: { database: 'perpetua-codes', store: 'codes' },
  submissions: { database: 'perpetua-submissions', store: 'unfinished' },
  /** Several of each: their names begin with the id and a colon. */
  receipts: { database: 'perpetua-receipts', store: 'parts' },
  sentRecords: { database: 'perpetua-sent-records', store: 'fingerprints' },
} as const;

export type Place = keyof typeof PLACES;

/** Reads the entry of an identity; undefined where there is none. */
export const readIdentityStore = (place: Place, id: string): Promise<Read<SealedForBrowser | undefined>> =>
  readStore<SealedForBrowser, SealedForBrowser | undefined>(PLACES[place], (store) => store.get(id));

/** Works with the entries of all identities in one place. @throws {Error} where the storage refuses or does not answer. */
export const withIdentityStore = <Result>(
  place: Place,
  work: (store: BrowserStore<SealedForBrowser>) => Promise<Result>,
): Promise<Result> => withStore(PLACES[place], work);
