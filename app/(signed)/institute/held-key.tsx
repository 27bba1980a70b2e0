'use client';

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

export const HELD_MS = 10 * 60_000;
const CHECK_MS = 5_000;

interface HeldKey {
  /** Null where none is held. */
  readonly key: string | null;
  /** Until when, ms. */
  readonly until: number;
  hold(key: string): void;
  forget(): void;
}

const HeldKeyContext = createContext<HeldKey | null>(null);

/** Holds an institute key in memory for ten minutes, by the clock: a timer stands still while the device sleeps. */
export function HeldKeyProvider({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState<{ readonly key: string; readonly until: number } | null>(null);
  const forget = useCallback(() => setHeld(null), []);
  const hold = useCallback((key: string) => setHeld({ key, until: Date.now() + HELD_MS }), []);

  useEffect(() => {
    if (!held) return;
    const check = () => {
      if (Date.now() >= held.until) forget();
    };
    const timer = setInterval(check, CHECK_MS);
    document.addEventListener('visibilitychange', check);
    addEventListener('pagehide', forget);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
      removeEventListener('pagehide', forget);
    };
  }, [held, forget]);

  const value = useMemo(
    () => ({ key: held?.key ?? null, until: held?.until ?? 0, hold, forget }),
    [held, hold, forget],
  );
  return <HeldKeyContext value={value}>{children}</HeldKeyContext>;
}

/** Only below a HeldKeyProvider. */
export function useHeldKey(): HeldKey {
  const held = use(HeldKeyContext);
  if (!held) throw new Error('useHeldKey needs a HeldKeyProvider above it.');
  return held;
}
