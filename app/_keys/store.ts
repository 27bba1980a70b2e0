const PATIENCE_MS = 3_000;

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

/**
 * Opens the store for one piece of work, with a timeout: some browsers neither open nor refuse a database.
 * @throws {Error} where this browser refuses to store (private mode), or does not answer in time.
 */
export function withStore<Value, Result>(
  place: { readonly database: string; readonly store: string },
  work: (store: BrowserStore<Value>) => Promise<Result>,
): Promise<Result> {
  return inTime(withDatabase(place, (database) => work(storeIn(database, place.store))));
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The browser does not answer about its storage.')), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function withDatabase<T>(
  { database: name, store }: { database: string; store: string },
  work: (database: IDBDatabase) => Promise<T>,
): Promise<T> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const database = await settled(opening);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function storeIn<Value>(database: IDBDatabase, store: string): BrowserStore<Value> {
  const reading = () => database.transaction(store).objectStore(store);

  async function written(write: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = database.transaction(store, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    write(transaction.objectStore(store));
    await done;
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
