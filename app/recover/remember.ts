'use client';

import { draftFor, dropDraft, keepCopy, openCopy } from '../_keys/browser-copy.ts';
import { type OpenedKey, openedKey, openedSecret } from '../_keys/secret.ts';
import { forgetKept, type KeptRecovery, readKept, writeKept } from './kept-recovery.ts';
import type { Identity } from './situation.ts';

/** Under what the new key is drafted. */
export const draftName = (beoId: string): string => `recover:${beoId}`;

const copyOf = ({ beoId, publicKey }: KeptRecovery) => ({ purpose: 'holder' as const, beoId, publicKey });

interface Remembered {
  readonly kept: KeptRecovery | null;
  /** Null where the browser has lost it. */
  readonly key: OpenedKey | null;
  readonly saved: boolean;
}

const NOTHING: Remembered = { kept: null, key: null, saved: false };

/** What this browser remembers of recovering an identity. Never throws. */
export async function remember(identity: Identity): Promise<Remembered> {
  const kept = readKept(identity.beo_id);
  if (!kept) return NOTHING;
  if (kept.recovered && kept.publicKey !== identity.public_key) {
    forgetKept(kept.beoId);
    return NOTHING;
  }
  const found = await keyOf(kept).catch(() => null);
  if (found) return { kept, ...found };
  if (kept.request) return { kept, key: null, saved: false };
  forgetKept(kept.beoId);
  return NOTHING;
}

async function keyOf(kept: KeptRecovery): Promise<{ key: OpenedKey; saved: boolean } | null> {
  const copy = await openCopy(copyOf(kept));
  if (copy) return { key: await openedSecret(copy), saved: true };
  const draft = await draftFor(draftName(kept.beoId));
  const key = await openedKey(draft.entropy);
  if (key.publicKey === kept.publicKey) return { key, saved: draft.saved };
  await dropDraft(draftName(kept.beoId));
  return null;
}

/** The new key stands: from now on it is the identity's key that this browser keeps. */
export async function settle(kept: KeptRecovery, key: OpenedKey | null): Promise<void> {
  writeKept({ ...kept, request: null, recovered: true });
  if (key && (await keepCopy(copyOf(kept), key.secret))) await dropDraft(draftName(kept.beoId));
}

/** A key opened from the person's own copy, on a device that did not make it. */
export async function takeUp(kept: KeptRecovery, key: OpenedKey): Promise<void> {
  writeKept(kept);
  await keepCopy(copyOf(kept), key.secret);
}
