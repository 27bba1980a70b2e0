'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

export const KEY_LIFETIME_MS = 10 * 60_000;
const CHECK_MS = 5_000;

interface InstituteKey {
  /** Null before it is entered, and once it is forgotten. */
  readonly key: string | null;
  /** When it is forgotten, ms. */
  readonly until: number;
  set(key: string): void;
  forget(): void;
}

const InstituteKeyContext = createContext<InstituteKey | null>(null);

/** Keeps an institute key in memory for ten minutes by the clock, because timers stop while the device sleeps. */
export function InstituteKeyProvider({ children }: { children: ReactNode }) {
  const [stored, setStored] = useState<{ readonly key: string; readonly until: number } | null>(null);
  const forget = useCallback(() => setStored(null), []);
  const set = useCallback((key: string) => setStored({ key, until: Date.now() + KEY_LIFETIME_MS }), []);

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
    () => ({ key: stored?.key ?? null, until: stored?.until ?? 0, set, forget }),
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
