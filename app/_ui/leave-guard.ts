'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { parseUrl } from '../../protocol/parse-url.ts';

export interface LeaveGuard {
  /** Whether the person tried to leave and has to decide. */
  readonly isAsking: boolean;
  /** Asks before an action of the page that discards what the guard keeps; without a guard it happens at once. */
  readonly ask: (action: () => void) => void;
  readonly leave: () => void;
  readonly stay: () => void;
}

/**
 * Keeps the page while `active`: following a link of this site or the back button asks first; closing the tab and reloading show
 * the browser's own question.
 */
export function useLeaveGuard(active: boolean): LeaveGuard {
  const router = useRouter();
  const [wanted, setWanted] = useState<(() => void) | null>(null);
  const isLeaving = useRef(false);

  useEffect(() => {
    if (!active) return;
    isLeaving.current = false;
    const ask = (leave: () => void) => setWanted(() => leave);

    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const href = leavingHref(event);
      if (isLeaving.current || !href) return;
      event.preventDefault();
      event.stopPropagation();
      ask(() => router.push(href));
    };
    // A second entry of the same address: the back button then leads to this page, which asks. An earlier guard's entry serves.
    const here = window.location.href;
    if (window.history.state?.guarded !== here) window.history.pushState({ guarded: here }, '', here);
    const onBack = () => {
      if (isLeaving.current) return;
      window.history.pushState({ guarded: here }, '', here);
      ask(() => window.history.go(-2));
    };
    addEventListener('beforeunload', onUnload);
    addEventListener('click', onClick, { capture: true });
    addEventListener('popstate', onBack);
    return () => {
      removeEventListener('beforeunload', onUnload);
      removeEventListener('click', onClick, { capture: true });
      removeEventListener('popstate', onBack);
    };
  }, [active, router]);

  return {
    isAsking: wanted !== null,
    ask: (action) => (active ? setWanted(() => action) : action()),
    leave: () => {
      isLeaving.current = true;
      setWanted(null);
      wanted?.();
    },
    stay: () => setWanted(null),
  };
}

/** The address of a pressed link that leads to another page of this site in this tab; null for anything else. */
function leavingHref(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return null;
  const url = parseUrl(link.href);
  if (url?.origin !== window.location.origin || url.pathname === window.location.pathname) return null;
  const { pathname, search, hash } = url;
  return `${pathname}${search}${hash}`;
}
