'use client';

import { useEffect, useRef } from 'react';
import { useAddress } from '../_ui/address.ts';

export interface Steps {
  /** The step in the address. */
  readonly requested: string | null;
  /** The address of a step; its other parameters stay. */
  readonly hrefOf: (step: string) => string;
  /** Goes to a step without a request; the browser's back button leads back. */
  readonly go: (step: string) => void;
  /** The same without a history entry. */
  readonly replace: (step: string) => void;
}

/** The steps of a page are addresses (`?step=…`), so that links work without scripts, and the back button and reload work. */
export function useSteps(): Steps {
  const { search, push, replace } = useAddress();
  const hrefOf = (step: string) => {
    const parameters = new URLSearchParams(search);
    parameters.set('step', step);
    return `?${parameters}`;
  };
  const requested = search.get('step');
  return {
    requested,
    hrefOf,
    go: (step) => {
      if (step !== requested) push(hrefOf(step));
    },
    replace: (step) => replace(hrefOf(step)),
  };
}

/** True after the first change of the screen. Each change sets the title, and scrolls to what the address names, or to the top. */
export function useScreenChange(screen: string, title: string): boolean {
  const opened = useRef(screen);
  const hasChanged = useRef(false);
  if (screen !== opened.current) hasChanged.current = true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen begins at the top even under the same title
  useEffect(() => {
    if (!hasChanged.current) return;
    document.title = title;
    const named = document.getElementById(window.location.hash.slice(1));
    if (named) named.scrollIntoView({ behavior: 'instant' });
    else window.scrollTo({ top: 0, behavior: 'instant' });
  }, [screen, title]);
  return hasChanged.current;
}
