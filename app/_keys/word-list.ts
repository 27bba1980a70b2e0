'use client';

import { useEffect, useState } from 'react';

export type WordList = typeof import('./crypto.ts');

/** The BIP-39 list with its functions; null until it is loaded, and where that fails. */
export function useWordList(): WordList | null {
  const [list, setList] = useState<WordList | null>(null);

  useEffect(() => {
    let gone = false;
    import('./crypto.ts').then(
      (loaded) => gone || setList(loaded),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);

  return list;
}
