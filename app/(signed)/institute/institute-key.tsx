'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

export const KEY_LIFETIME_MS = 10 * 60_000;
const CHECK_MS = 5_000;

interface InstituteKey {
  /** Null before it is entered, and once it is forgotten. */
  readonly key: string | null;
  /** Which of the institute's keys it is; 0 without one. */
  readonly approver: number;
  /** When it is forgotten, ms. */
  readonly until: number;
  set(key: string, approver: number): void;
  forget(): void;
}

type Stored = Pick<InstituteKey, 'approver' | 'until'> & { readonly key: string };

const InstituteKeyContext = createContext<InstituteKey | null>(null);

/** Keeps an institute key in memory for ten minutes by the clock, because timers stop while the device sleeps. */
export function InstituteKeyProvider({ children }: { children: ReactNode }) {
  const [stored, setStored] = useState<Stored | null>(null);
  const forget = useCallback(() => setStored(null), []);
  const set = useCallback(
    (key: string, approver: number) => setStored({ key, approver, until: Date.now() + KEY_LIFETIME_MS }),
    [],
  );

  useEffect(() => {
    if (!stored) return;
    const check = () => {
      if (Date.now() >= stored.until) forget();
    };
    const timer = setInterval(check, CHECK_MS);
    document.addEventListener('visibilitychange', check);
    addEventListener('pagehide', forget);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
      removeEventListener('pagehide', forget);
    };
  }, [stored, forget]);

  const value = useMemo(
    () => ({ key: stored?.key ?? null, approver: stored?.approver ?? 0, until: stored?.until ?? 0, set, forget }),
    [stored, set, forget],
  );
  return <InstituteKeyContext value={value}>{children}</InstituteKeyContext>;
}

/** Only below a InstituteKeyProvider. */
export function useInstituteKey(): InstituteKey {
  const context = use(InstituteKeyContext);
  if (!context) throw new Error('useInstituteKey needs a InstituteKeyProvider above it.');
  return context;
}
