'use client';

import { useEffect, useRef } from 'react';
import { useAddress } from './address.ts';

export interface Steps {
  /** What the address asks for. */
  readonly asked: string | null;
  /** The address of a screen; the language and the rest of the address stay. */
  readonly hrefOf: (step: string) => string;
  /** Goes to a screen without a request to the server; the browser's back button leads back. */
  readonly go: (step: string) => void;
  /** The same, and the browser's back button does not lead back. */
  readonly replace: (step: string) => void;
}

/** The screens of a page are addresses (`?step=…`), so that links work before scripts do, and back and reload always. */
export function useSteps(): Steps {
  const { search, push, replace } = useAddress();
  const hrefOf = (step: string) => {
    const parameters = new URLSearchParams(search);
    parameters.set('step', step);
    return `?${parameters}`;
  };
  const asked = search.get('step');
  return {
    asked,
    hrefOf,
    go: (step) => {
      if (step !== asked) push(hrefOf(step));
    },
    replace: (step) => replace(hrefOf(step)),
  };
}

/** True from the first change of the screen on; each change begins at the top, under a title of its own. */
export function useScreenChange(screen: string, title: string): boolean {
  const opened = useRef(screen);
  const moved = useRef(false);
  if (screen !== opened.current) moved.current = true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen begins at the top even under the same title
  useEffect(() => {
    if (!moved.current) return;
    document.title = title;
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, [screen, title]);
  return moved.current;
}
