'use client';

import { useCallback, useState } from 'react';
import { isAbandoned } from '../_keys/abandoned-passkey.ts';
import type { DraftProtection } from '../_keys/browser-copy.ts';
import { keptIdentities } from '../_keys/identities.ts';
import { untilRead } from '../_keys/read.ts';
import { type OpenedKey, openedKey } from '../_keys/secret.ts';
import { useWiped } from '../_keys/use-wiped.ts';

/** Loaded with the step that makes the key. */
const drafts = () => import('../_keys/browser-copy.ts');

export interface MadeKey {
  readonly key: OpenedKey;
  /** Whether a reload finds it again. */
  readonly stored: boolean;
  /** Whether the person has a copy. */
  readonly hasCopy: boolean;
  /** Null until it is protected. */
  readonly protection: DraftProtection | null;
}

/** A key of which this browser keeps a draft, until a flow has sent it. */
export interface DraftKey {
  /** Null until it is made. */
  readonly made: MadeKey | null;
  /** This browser could not make a key. */
  readonly failed: boolean;
  /** Reads the draft, or makes a key. Null once aborted, and where it failed. */
  readonly make: (signal: AbortSignal) => Promise<MadeKey | null>;
  /** The person has a copy of the key. */
  readonly copied: () => void;
  /** Keeps how the key is protected. An earlier passkey is given up, unless it is in use. */
  readonly protect: (protection: DraftProtection | null) => void;
  /** Deletes the draft. */
  readonly drop: () => Promise<void>;
}

type Held = { readonly name: string; readonly made: MadeKey | null };

/** The key drafted in this browser under `name`; the key step makes it. It is wiped once the page is left. */
export function useDraftKey(name: string): DraftKey {
  const [held, setHeld] = useState<Held | null>(null);
  const isHeld = held?.name === name;
  const made = isHeld ? held.made : null;
  useWiped(made?.key ?? null);

  const make = useCallback(
    async (signal: AbortSignal) => {
      try {
        const { draftFor } = await drafts();
        const { entropy, kept: stored, saved: hasCopy, protection } = await untilRead(() => draftFor(name), signal);
        const found = { key: await openedKey(entropy), stored, hasCopy, protection };
        if (signal.aborted) return null;
        setHeld({ name, made: found });
        return found;
      } catch {
        if (!signal.aborted) setHeld({ name, made: null });
        return null;
      }
    },
    [name],
  );

  return {
    made,
    failed: isHeld && made === null,
    make,
    copied() {
      void drafts().then(({ markDraftSaved }) => markDraftSaved(name));
      if (made) setHeld({ name, made: { ...made, hasCopy: true } });
    },
    protect(protection) {
      void replaceProtection(name, made?.protection ?? null, protection);
      if (made) setHeld({ name, made: { ...made, protection } });
    },
    async drop() {
      const { dropDraft } = await drafts();
      await dropDraft(name);
    },
  };
}

/** Another tab may have this draft too, and have created the identity: a passkey is given up only where nothing needs it. */
async function replaceProtection(name: string, known: DraftProtection | null, protection: DraftProtection | null) {
  const { protectDraft } = await drafts();
  const before = await protectDraft(name, protection);
  if (!known?.passkey) return;
  const kept = await keptIdentities();
  if (kept.state === 'unreadable') return;
  const users = [...kept.value, ...(protection ? [protection] : [])];
  if (!isAbandoned(known.passkey, before, users)) return;
  const { disownPasskey } = await import('../_keys/passkey.ts');
  await disownPasskey(known.passkey);
}
