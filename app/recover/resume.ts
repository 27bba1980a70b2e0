'use client';

import { draftFor, dropDraft, keepCopy, openCopy, recoveryDraft } from '../_keys/browser-copy.ts';
import { type OpenedKey, openedKey, openedSecret } from '../_keys/secret.ts';
import { forgetKept, type KeptRecovery, readKept, writeKept } from './kept-recovery.ts';
import type { Identity } from './situation.ts';

const copyOf = ({ beoId, publicKey }: KeptRecovery) => ({ purpose: 'holder' as const, beoId, publicKey });

interface Resumed {
  readonly kept: KeptRecovery | null;
  /** Null where the browser has lost it. */
  readonly key: OpenedKey | null;
  readonly hasCopy: boolean;
}

const NONE: Resumed = { kept: null, key: null, hasCopy: false };

/** Loads the recovery of an identity that was begun in this browser. Never throws. */
export async function resumeRecovery(identity: Identity): Promise<Resumed> {
  const kept = await readKept(identity.beo_id);
  if (!kept) return NONE;
  if (kept.recovered && kept.publicKey !== identity.public_key) {
    await forgetKept(kept.beoId);
    return NONE;
  }
  const found = await keyOf(kept).catch(() => null);
  if (found) return { kept, ...found };
  if (kept.request) return { kept, key: null, hasCopy: false };
  await forgetKept(kept.beoId);
  return NONE;
}

async function keyOf(kept: KeptRecovery): Promise<{ key: OpenedKey; hasCopy: boolean } | null> {
  const copy = await openCopy(copyOf(kept));
  if (copy) return { key: await openedSecret(copy), hasCopy: true };
  const draft = await draftFor(recoveryDraft(kept.beoId));
  const key = await openedKey(draft.entropy);
  if (key.publicKey === kept.publicKey) return { key, hasCopy: draft.saved };
  await dropDraft(recoveryDraft(kept.beoId));
  return null;
}

/** Stores the new key as the key of the identity. */
export async function storeRecovered(kept: KeptRecovery, key: OpenedKey | null): Promise<void> {
  await writeKept({ ...kept, request: null, recovered: true });
  if (key && (await keepCopy(copyOf(kept), key.secret))) await dropDraft(recoveryDraft(kept.beoId));
}

/** Stores a key that was opened from a copy, on a device that did not make it. */
export async function storeOpened(kept: KeptRecovery, key: OpenedKey): Promise<void> {
  await writeKept(kept);
  await keepCopy(copyOf(kept), key.secret);
}
