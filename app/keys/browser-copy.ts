import { newSecret, type Purpose } from './secret.ts';

/** Whose key a copy holds. */
export interface CopyOf {
  readonly purpose: Purpose;
  readonly beoId: string;
  /** Lower-case hex. */
  readonly publicKey: string;
}

/** A key that was made and has not been sent anywhere yet. */
export interface Draft {
  readonly entropy: Uint8Array;
  /** False where this browser keeps nothing (private mode, storage refused): a reload makes another key. */
  readonly kept: boolean;
  /** True once `markDraftSaved` was called: the person has a copy of their own already. */
  readonly saved: boolean;
}

interface Sealed {
  /** AES-256-GCM, not extractable. */
  readonly key: CryptoKey;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
  readonly saved: boolean;
}

const DATABASE = 'perpetua-keys';
const STORE = 'copies';
const NONCE_BYTES = 12;
const PATIENCE_MS = 3_000;

/** Keeps a key in this browser, for convenience only: browsers forget. False where the browser does not let us. */
export async function keepCopy(of: CopyOf, entropy: Uint8Array): Promise<boolean> {
  const kept = await quietly(async (database) => {
    const sealed = await seal(copyName(of), entropy);
    await written(database, (store) => store.put(sealed, copyName(of)));
    return true;
  });
  return kept ?? false;
}

/** The key that this browser keeps, or null. */
export async function openCopy(of: CopyOf): Promise<Uint8Array | null> {
  return quietly(async (database) => {
    const sealed = await read(database, copyName(of));
    return sealed ? open(copyName(of), sealed) : null;
  });
}

/** Forgets the key. Quiet where there is none. */
export async function dropCopy(of: CopyOf): Promise<void> {
  await quietly((database) => written(database, (store) => store.delete(copyName(of))));
}

/**
 * The key begun under this name (such as an invitation's id), or a new one: who reloads before sending gets the same key again,
 * and so do two tabs at once. Never throws; `kept` says whether the browser keeps it.
 */
export async function draftFor(name: string): Promise<Draft> {
  const fresh = newSecret();
  const kept = await quietly(async (database) => {
    const before = await read(database, draftName(name));
    const opened = before && (await open(draftName(name), before));
    if (opened) return { entropy: opened, kept: true, saved: before.saved };
    const sealed = await seal(draftName(name), fresh);
    const standing = await readOrWrite(database, draftName(name), sealed, before !== undefined);
    const entropy = standing === sealed ? fresh : await open(draftName(name), standing);
    return entropy && { entropy, kept: true, saved: standing.saved };
  });
  return kept ?? { entropy: fresh, kept: false, saved: false };
}

/** Remembers that the person has saved the draft's key themselves. */
export async function markDraftSaved(name: string): Promise<void> {
  await quietly(async (database) => {
    const sealed = await read(database, draftName(name));
    if (sealed) await written(database, (store) => store.put({ ...sealed, saved: true }, draftName(name)));
  });
}

/** Forgets a draft, once its key is kept with `keepCopy` or is of no more use. */
export async function dropDraft(name: string): Promise<void> {
  await quietly((database) => written(database, (store) => store.delete(draftName(name))));
}

const copyName = ({ purpose, beoId, publicKey }: CopyOf) => `${purpose}:${beoId}:${publicKey}`;
const draftName = (name: string) => `draft:${name}`;

async function seal(name: string, entropy: Uint8Array): Promise<Sealed> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const ciphertext = await crypto.subtle.encrypt(parameters(name, nonce), key, Uint8Array.from(entropy));
  return { key, nonce, ciphertext, saved: false };
}

/** Null for what does not open: a browser may lose one half of what it kept. */
async function open(name: string, { key, nonce, ciphertext }: Sealed): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(name, nonce), key, ciphertext));
  } catch {
    return null;
  }
}

const parameters = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});

async function quietly<T>(work: (database: IDBDatabase) => Promise<T | null>): Promise<T | null> {
  try {
    return await inTime(withDatabase(work));
  } catch {
    return null;
  }
}

/** Some browsers neither open nor refuse a database (a storage prompt, a broken profile); a person must not wait for that. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The browser does not answer about its storage.')), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function withDatabase<T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const read = (database: IDBDatabase, name: string): Promise<Sealed | undefined> =>
  settled(database.transaction(STORE).objectStore(STORE).get(name));

/** What stands under the name afterwards: what was there, unless it is to be replaced, else what was given. */
async function readOrWrite(database: IDBDatabase, name: string, sealed: Sealed, replace: boolean): Promise<Sealed> {
  let standing: Sealed = sealed;
  await written(database, (store) => {
    const before: IDBRequest<Sealed | undefined> = store.get(name);
    before.onsuccess = () => {
      if (before.result && !replace) standing = before.result;
      else store.put(sealed, name);
    };
  });
  return standing;
}

async function written(database: IDBDatabase, write: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = database.transaction(STORE, 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  write(transaction.objectStore(STORE));
  await done;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
