'use client';

import { useState } from 'react';
import type { KeptIdentity, SealedByPasskey } from '../_keys/identities.ts';
import type { OpenedKey } from '../_keys/secret.ts';
import { useSession } from '../_session/session.tsx';
import { usePasskeys } from '../_session/use-passkeys.ts';

/** An identity with its key in this browser, before it has a passkey. */
type NewlyKept = Omit<KeptIdentity, 'passkey' | 'usedAt'>;

interface Offer {
  readonly identity: KeptIdentity;
  /** The passkey of the key before, if it was replaced. */
  readonly existing: SealedByPasskey | null;
}

/** Stores a key that was sealed under a passphrase in this browser and opens it; then a passkey is offered where there can be one. */
export function useKeeping(onDone: () => void) {
  const { keep } = useSession();
  const canPasskey = usePasskeys();
  const [cannotStore, setCannotStore] = useState(false);
  const [offer, setOffer] = useState<Offer | null>(null);

  return {
    /** This browser refused to store it. */
    cannotStore,
    /** The passkey to offer next; null for none. */
    offer,
    /** `onStored` is called before a passkey is offered. @returns false where this browser refuses */
    async store(
      kept: NewlyKept,
      key: OpenedKey,
      { existing = null, onStored }: { existing?: SealedByPasskey | null; onStored: () => Promise<void> },
    ): Promise<boolean> {
      const identity = { ...kept, passkey: null, usedAt: new Date().toISOString() };
      const isStored = await keep(identity, key).then(
        () => true,
        () => false,
      );
      setCannotStore(!isStored);
      if (!isStored) return false;
      await onStored();
      if (canPasskey) setOffer({ identity, existing });
      else onDone();
      return true;
    },
    async passkeyDecided(passkey: SealedByPasskey | null): Promise<void> {
      if (offer && passkey) await keep({ ...offer.identity, passkey });
      onDone();
    },
  };
}

export type Keeping = ReturnType<typeof useKeeping>;
