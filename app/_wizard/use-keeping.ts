'use client';

import { useState } from 'react';
import type { KeptIdentity } from '../_keys/identities.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { useSession } from '../_session/session.tsx';

/** Stores a key that was sealed in this browser, and opens it. */
export function useKeeping(onDone: () => void) {
  const { keep } = useSession();
  const [cannotStore, setCannotStore] = useState(false);

  return {
    /** This browser refused to store it. */
    cannotStore,
    /** `onStored` is called before `onDone`. @returns false where this browser refuses */
    async store(kept: Omit<KeptIdentity, 'usedAt'>, key: OpenedKey, onStored: () => Promise<void>): Promise<boolean> {
      const isStored = await keep({ ...kept, usedAt: new Date().toISOString() }, key).then(
        () => true,
        () => false,
      );
      setCannotStore(!isStored);
      if (!isStored) return false;
      await onStored();
      onDone();
      return true;
    },
  };
}

export type Keeping = ReturnType<typeof useKeeping>;
