'use client';

import { useEffect, useState } from 'react';

export type WordList = typeof import('./crypto.ts');

/** The BIP-39 list and what is done with it, once it has arrived; null until then, and where it does not come. */
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
