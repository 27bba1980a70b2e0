'use client';

import type { KeepKeyProps } from '../_keys/keep-key.tsx';
import { KeepKey } from '../_keys/keep-key-later.tsx';
import { useSession } from './session.tsx';

/** Takes a person through a copy of the key of the current identity, and notes that there is one. */
export function CopyOfKey({
  onKept,
  ...keeping
}: Omit<KeepKeyProps, 'purpose' | 'beoDomain' | 'onKept'> & { onKept: () => void }) {
  const { current, keep } = useSession();
  if (!current) return null;
  return (
    <KeepKey
      {...keeping}
      purpose={current.kind}
      beoDomain={current.domain}
      onKept={() => {
        onKept();
        void keep({ ...current, backedUp: true });
      }}
    />
  );
}
