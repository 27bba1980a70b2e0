'use client';

import { useEffect } from 'react';
import { type OpenedKey, wipe } from './secret.ts';

/** Overwrites a key once another one replaces it, or the component is unmounted. */
export function useWiped(held: OpenedKey | null): void {
  useEffect(() => {
    if (!held) return;
    return () => wipe(held);
  }, [held]);
}
