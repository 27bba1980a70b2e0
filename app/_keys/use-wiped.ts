'use client';

import { useEffect } from 'react';
import { type OpenedKey, wipe } from './secret.ts';

/** Overwrites a key once another one replaces it, or the component is unmounted. */
export function useWiped(key: OpenedKey | null): void {
  useEffect(() => {
    if (!key) return;
    return () => wipe(key);
  }, [key]);
}
