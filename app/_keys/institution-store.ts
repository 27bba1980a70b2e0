import type { SealedForBrowser } from './browser-seal.ts';
import type { Read } from './read.ts';
import { type BrowserStore, readStore, withStore } from './store.ts';

/** What an institution keeps in this browser besides its key, encrypted, by its id. */
const PLACES = {
  references: { database: 'perpetua-references', store: 'references' },
  codes: { database: 'perpetua-codes', store: 'codes' },
  sentRecords: { database: 'perpetua-sent-records', store: 'fingerprints' },
} as const;

type Place = keyof typeof PLACES;

/** Reads the entry of an institution; undefined where there is none. */
export const readInstitutionStore = (place: Place, ieoId: string): Promise<Read<SealedForBrowser | undefined>> =>
  readStore<SealedForBrowser, SealedForBrowser | undefined>(PLACES[place], (store) => store.get(ieoId));

/** Works with the entries of all institutions in one place. @throws {Error} where the storage refuses or does not answer. */
export const withInstitutionStore = <Result>(
  place: Place,
  work: (store: BrowserStore<SealedForBrowser>) => Promise<Result>,
): Promise<Result> => withStore(PLACES[place], work);

/** Deletes what an institution keeps from this browser. */
export async function forgetInstitution(ieoId: string): Promise<void> {
  const places = Object.keys(PLACES) as Place[];
  await Promise.allSettled(places.map((place) => withInstitutionStore(place, (store) => store.delete(ieoId))));
}
