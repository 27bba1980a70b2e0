import { type Read, readAs, UNREADABLE } from './read.ts';
import { setReadable } from './storage-status.ts';

const FIRST_PATIENCE_MS = 3_000;
const MAX_PATIENCE_MS = 60_000;

/** How long the storage may take: longer after it took too long, so that slow storage is read in the end. */
let patience = FIRST_PATIENCE_MS;

interface Place {
  readonly database: string;
  readonly store: string;
}

/** One object store in a database of its own (IndexedDB). */
export interface BrowserStore<Value> {
  get(name: string): Promise<Value | undefined>;
  all(): Promise<Value[]>;
  names(): Promise<string[]>;
  put(name: string, value: Value): Promise<void>;
  delete(name: string): Promise<void>;
  /** Reads, changes and writes a value in one transaction; a value that `change` returns unchanged is not written. */
  update(name: string, change: (current: Value | undefined) => Value): Promise<Value>;
}

/** Reads from a store. Another tab may block it, and a slow machine takes long: that is `unreadable`. */
export async function readStore<Value, Result>(
  place: Place,
  work: (store: BrowserStore<Value>) => Promise<Result>,
): Promise<Read<Result>> {
  try {
    return readAs(await withStore(place, work));
  } catch {
    setReadable(place.database, false);
    return UNREADABLE;
  }
}

/**
 * Opens the store for one piece of work, and ends it where the storage takes too long: some browsers neither open nor refuse a
 * database. A browser without IndexedDB has an empty store that refuses to be written.
 * @throws {Error} where the storage refuses, or does not answer in time. Nothing is written later.
 */
export async function withStore<Value, Result>(
  place: Place,
  work: (store: BrowserStore<Value>) => Promise<Result>,
): Promise<Result> {
  if (!('indexedDB' in globalThis)) return work(NO_STORAGE);
  const allowed = patience;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The storage of this browser does not answer.')), allowed);
  try {
    const result = await Promise.race([withDatabase(place, late.signal, work), aborted(late.signal)]);
    patience = FIRST_PATIENCE_MS;
    setReadable(place.database, true);
    return result;
  } catch (error) {
    if (late.signal.aborted) patience = Math.min(2 * allowed, MAX_PATIENCE_MS);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const refused = () => Promise.reject(new Error('This browser stores nothing.'));

const NO_STORAGE: BrowserStore<never> = {
  get: () => Promise.resolve(undefined),
  all: () => Promise.resolve([]),
  names: () => Promise.resolve([]),
  put: refused,
  delete: refused,
  update: refused,
};

async function withDatabase<Value, Result>(
  { database: name, store }: Place,
  late: AbortSignal,
  work: (store: BrowserStore<Value>) => Promise<Result>,
): Promise<Result> {
  const database = await opened(name, store);
  // Another tab may want to delete or upgrade the database: a connection that stays open would block it.
  database.onversionchange = () => database.close();
  try {
    late.throwIfAborted();
    return await work(storeIn(database, store, late));
  } finally {
    database.close();
  }
}

function opened(name: string, store: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  return settled(opening);
}

function storeIn<Value>(database: IDBDatabase, store: string, late: AbortSignal): BrowserStore<Value> {
  const reading = () => database.transaction(store).objectStore(store);

  async function written(write: (store: IDBObjectStore) => void): Promise<void> {
    late.throwIfAborted();
    const transaction = database.transaction(store, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const abort = () => transaction.abort();
    late.addEventListener('abort', abort);
    try {
      write(transaction.objectStore(store));
      await done;
    } finally {
      late.removeEventListener('abort', abort);
    }
  }

  return {
    get: (name) => settled(reading().get(name)),
    all: () => settled(reading().getAll()),
    names: async () => (await settled(reading().getAllKeys())).map(String),
    put: (name, value) => written((store) => store.put(value, name)),
    delete: (name) => written((store) => store.delete(name)),

    async update(name, change) {
      let left: Value | undefined;
      await written((store) => {
        const before: IDBRequest<Value | undefined> = store.get(name);
        before.onsuccess = () => {
          left = change(before.result);
          if (left !== before.result) store.put(left, name);
        };
      });
      return left as Value;
    },
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
