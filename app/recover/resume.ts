'use client';

import { draftFor, dropDraft, keepCopy, openCopy, recoveryDraft } from '../_keys/browser-copy.ts';
import { untilRead } from '../_keys/read.ts';
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

/** Loads the recovery of an identity that was begun in this browser. Never throws; waits until the storage can be read. */
export async function resumeRecovery(identity: Identity, signal: AbortSignal): Promise<Resumed> {
  const kept = await readKept(identity.beo_id, signal);
  if (!kept) return NONE;
  if (kept.recovered && kept.publicKey !== identity.public_key) {
    await forgetKept(kept.beoId);
    return NONE;
  }
  const found = await keyOf(kept, signal).catch(() => null);
  if (found) return { kept, ...found };
  if (kept.request) return { kept, key: null, hasCopy: false };
  await forgetKept(kept.beoId);
  return NONE;
}

async function keyOf(kept: KeptRecovery, signal: AbortSignal): Promise<{ key: OpenedKey; hasCopy: boolean } | null> {
  const copy = await untilRead(() => openCopy(copyOf(kept)), signal);
  if (copy) return { key: await openedSecret(copy), hasCopy: true };
  const draft = await untilRead(() => draftFor(recoveryDraft(kept.beoId)), signal);
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
