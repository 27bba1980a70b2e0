'use client';

import { type ReadonlyURLSearchParams, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

export interface Address {
  readonly search: ReadonlyURLSearchParams;
  /** Goes to another address of this page, such as `?step=key`, without a request; the browser's back button leads back. */
  readonly push: (href: string) => void;
  /** The same, and the back button does not come here again. */
  readonly replace: (href: string) => void;
}

let routerIsReady = false;

/** Notes, with the first effects of a page, that the router hears: it begins to with its own. For the root layout. */
export function RouterReady(): null {
  useEffect(() => {
    routerIsReady = true;
  }, []);
  return null;
}

/**
 * What of this page is in its address. The router hears of a change through `history`, on which it hangs itself a moment after the
 * page answers presses: one that comes in between loads the page at its new address, where otherwise only the address would change.
 */
export function useAddress(): Address {
  return {
    search: useSearchParams(),
    push: (href) => (routerIsReady ? window.history.pushState(null, '', href) : window.location.assign(href)),
    replace: (href) => (routerIsReady ? window.history.replaceState(null, '', href) : window.location.replace(href)),
  };
}
