'use client';

import { useEffect } from 'react';
import { type OpenedKey, wipe } from './secret.ts';

/** Overwrites a key once it is no longer held here: another one took its place, or the page was left. */
export function useWiped(held: OpenedKey | null): void {
  useEffect(() => {
    if (!held) return;
    return () => wipe(held);
  }, [held]);
}
