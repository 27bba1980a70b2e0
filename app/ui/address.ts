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

/** Set by the first effect of the page, which runs together with the one in which the router begins to hear. */
let routerHears = false;

/**
 * What of this page is in its address. The router hears of a change through `history`, on which it hangs itself a moment after the
 * page answers presses: one that comes in between loads the page at its new address, where otherwise only the address would change.
 */
export function useAddress(): Address {
  const search = useSearchParams();
  useEffect(() => {
    routerHears = true;
  }, []);
  return {
    search,
    push: (href) => (routerHears ? window.history.pushState(null, '', href) : window.location.assign(href)),
    replace: (href) => (routerHears ? window.history.replaceState(null, '', href) : window.location.replace(href)),
  };
}
