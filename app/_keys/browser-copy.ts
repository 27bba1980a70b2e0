import { openForBrowser, type SealedForBrowser, sealForBrowser } from './browser-seal.ts';
import type { Protection } from './identities.ts';
import { askToPersist } from './persistence.ts';
import { type Read, readAs } from './read.ts';
import { newSecret, type Purpose, type Secret } from './secret.ts';
import { type BrowserStore, readStore, withStore } from './store.ts';

/** Identifies the key of a copy. */
export interface CopyOf {
  readonly purpose: Purpose;
  readonly beoId: string;
  /** Lower-case hex. */
  readonly publicKey: string;
}

/** A key that was made and has not been sent anywhere yet. */
export interface Draft {
  readonly entropy: Uint8Array;
  /** False where this browser refused to store it: a reload makes another key. */
  readonly kept: boolean;
  /** True once `markDraftSaved` was called: the person has a copy of their own. */
  readonly saved: boolean;
  /** What `protectDraft` stored. */
  readonly protection: DraftProtection | null;
}

/** How this browser will keep the key of an identity that is not created yet, under the name that it will have. */
export interface DraftProtection extends Protection {
  readonly domain: string;
}

interface Sealed extends SealedForBrowser {
  readonly saved: boolean;
  /** Absent where it is entropy. */
  readonly holds?: 'seed';
  /** The domain of the identity; absent in copies of earlier versions. */
  readonly domain?: string;
  /** Of a draft. */
  readonly protection?: DraftProtection | null;
}

/** A stored copy. `domain` is null where the copy does not name its identity. */
export interface KeptCopy extends CopyOf {
  readonly domain: string | null;
}

const PLACE = { database: 'perpetua-keys', store: 'copies' };

/**
 * Stores a key in this browser, for convenience only: browsers delete data. Asks the browser to keep its storage where the key is
 * new here. False where the browser refuses.
 */
export async function keepCopy(of: CopyOf, { holds, bytes }: Secret, domain?: string): Promise<boolean> {
  let isNew = false;
  const isKept = await written(async (store) => {
    const sealed = await seal(copyName(of), bytes);
    await store.update(copyName(of), (before) => {
      isNew = before === undefined;
      return { ...sealed, ...(holds === 'seed' && { holds }), ...(domain && { domain }) };
    });
  });
  if (isKept && isNew) void askToPersist();
  return isKept;
}

/** The stored key, or null. */
export const openCopy = (of: CopyOf): Promise<Read<Secret | null>> =>
  readStore<Sealed, Secret | null>(PLACE, async (store) => {
    const sealed = await store.get(copyName(of));
    const bytes = sealed && (await openForBrowser(copyName(of), sealed));
    return bytes ? { holds: sealed.holds ?? 'entropy', bytes } : null;
  });

/** Every stored copy, unopened. */
export const keptCopies = (): Promise<Read<readonly KeptCopy[]>> =>
  readStore<Sealed, KeptCopy[]>(PLACE, async (store) => {
    const copies = (await store.names()).map(copyNamed).filter((copy) => copy !== null);
    return Promise.all(copies.map(async (of) => ({ ...of, domain: (await store.get(copyName(of)))?.domain ?? null })));
  });

/** Deletes a stored key, if there is one. */
export async function dropCopy(of: CopyOf): Promise<void> {
  await written((store) => store.delete(copyName(of)));
}

/**
 * The key drafted under this name (such as an invitation's id), or a new one. A reload, or a second tab, gets the same key: while
 * the storage cannot be read there is none, because an earlier one may be in use.
 */
export async function draftFor(name: string): Promise<Read<Draft>> {
  const fresh = newSecret();
  const found = await readStore<Sealed, { before: Sealed | undefined; opened: Uint8Array | null | undefined }>(
    PLACE,
    async (store) => {
      const before = await store.get(draftName(name));
      return { before, opened: before && (await openForBrowser(draftName(name), before)) };
    },
  );
  if (found.state === 'unreadable') return found;
  const { before, opened } = found.value;
  if (before && opened)
    return readAs({ entropy: opened, kept: true, saved: before.saved, protection: before.protection ?? null });
  try {
    const sealed = await seal(draftName(name), fresh);
    // A draft that another tab has written meanwhile stays; one that does not open is replaced.
    const stored = await withStore<Sealed, Sealed>(PLACE, (store) =>
      store.update(draftName(name), (now) => (now && !before ? now : sealed)),
    );
    const entropy = stored === sealed ? fresh : await openForBrowser(draftName(name), stored);
    if (entropy) return readAs({ entropy, kept: true, saved: stored.saved, protection: stored.protection ?? null });
  } catch {
    // It is not kept.
  }
  return readAs({ entropy: fresh, kept: false, saved: false, protection: null });
}

/** Records that the person has a copy of the draft's key. */
export async function markDraftSaved(name: string): Promise<void> {
  await changeDraft(name, { saved: true });
}

/** Records how the draft's key is protected, so that a reload does not make a second passkey. Returns how it was before. */
export const protectDraft = async (name: string, protection: DraftProtection | null): Promise<DraftProtection | null> =>
  (await changeDraft(name, { protection }))?.protection ?? null;

/** Changes a draft where there is one: another tab may have dropped it. Returns it as it was. */
async function changeDraft(name: string, changes: Partial<Sealed>): Promise<Sealed | undefined> {
  let before: Sealed | undefined;
  const isWritten = await written<Sealed | undefined>((store) =>
    store.update(draftName(name), (now) => {
      before = now;
      return now && { ...now, ...changes };
    }),
  );
  return isWritten ? before : undefined;
}

/** Deletes a draft whose key is stored with `keepCopy`, or no longer needed. */
export async function dropDraft(name: string): Promise<void> {
  await written((store) => store.delete(draftName(name)));
}

/** The name of the draft with the new key of an identity that is being recovered. */
export const recoveryDraft = (beoId: string): string => `recover:${beoId}`;

const copyName = ({ purpose, beoId, publicKey }: CopyOf) => `${purpose}:${beoId}:${publicKey}`;
const COPY_NAME = /^(guardian|holder|institution):([^:]+):([0-9a-f]{64})$/;

function copyNamed(name: string): CopyOf | null {
  const [, purpose, beoId, publicKey] = COPY_NAME.exec(name) ?? [];
  return beoId && publicKey ? { purpose: purpose as Purpose, beoId, publicKey } : null;
}

const draftName = (name: string) => `draft:${name}`;

const seal = async (name: string, entropy: Uint8Array): Promise<Sealed> => ({
  ...(await sealForBrowser(name, entropy)),
  saved: false,
});

/** False where the browser refuses. */
const written = <Value = Sealed>(work: (store: BrowserStore<Value>) => Promise<unknown>): Promise<boolean> =>
  withStore(PLACE, work).then(
    () => true,
    () => false,
  );
