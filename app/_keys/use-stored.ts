'use client';

import { useEffect, useState } from 'react';
import { type Read, readAs, UNREADABLE, untilRead } from './read.ts';

/** `reading` until the first result. */
export type Reading<Value> = Read<Value> | { readonly state: 'reading' };

export const READING: Reading<never> = { state: 'reading' };

/** What `read` found; it is tried again while this browser's storage cannot be read. Another `read` begins anew. */
export function useStored<Value>(read: () => Promise<Read<Value>>): Reading<Value> {
  const [found, setFound] = useState<Reading<Value>>(READING);

  useEffect(() => {
    const over = new AbortController();
    setFound(READING);
    untilRead(read, over.signal, () => setFound(UNREADABLE)).then(
      (value) => setFound(readAs(value)),
      () => setFound(UNREADABLE),
    );
    return () => over.abort();
  }, [read]);

  return found;
}
