'use client';

import { type ReadonlyURLSearchParams, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

export interface Address {
  readonly search: ReadonlyURLSearchParams;
  /** Goes to another address of this page, such as `?step=key`, without a request; the browser's back button leads back. */
  readonly push: (href: string) => void;
  /** The same without a history entry. */
  readonly replace: (href: string) => void;
}

let routerIsReady = false;
/** The address that replaces this one as soon as the router is ready. */
let wanted: string | null = null;

const replaceNow = (href: string) => window.history.replaceState(null, '', href);

/** Records that the first effects have run, and with them the router's listener for `history`. For the root layout. */
export function RouterReady(): null {
  useEffect(() => {
    routerIsReady = true;
    // The router listens once all effects of this moment have run.
    queueMicrotask(() => {
      if (wanted !== null) replaceNow(wanted);
      wanted = null;
    });
  }, []);
  return null;
}

/**
 * The address of the page. The router patches `history` a moment after the page becomes interactive: until then the page is
 * loaded at its new address, because otherwise only the address would change. A replacement waits instead: it must not end what
 * the page is doing.
 */
export function useAddress(): Address {
  return {
    search: useSearchParams(),
    push: (href) => (routerIsReady ? window.history.pushState(null, '', href) : window.location.assign(href)),
    replace: (href) => {
      if (routerIsReady) replaceNow(href);
      else wanted = href;
    },
  };
}
