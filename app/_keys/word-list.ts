'use client';

import { useEffect, useState } from 'react';

export type WordList = typeof import('./crypto.ts');

/** The BIP-39 list with its functions; null until it is loaded, and where that fails. */
export function useWordList(): WordList | null {
  const [list, setList] = useState<WordList | null>(null);

  useEffect(() => {
    let cancelled = false;
    import('./crypto.ts').then(
      (loaded) => cancelled || setList(loaded),
      () => {},
    );
    return () => {
      cancelled = true;
    };
  }, []);

  return list;
}
