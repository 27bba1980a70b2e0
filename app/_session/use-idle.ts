import { useEffect } from 'react';

/** The times without activity after which keys can be locked. */
export const IDLE_MINUTES = [1, 5, 10, 30, 60] as const;
const DEFAULT_MINUTES = 10;
const STORAGE_KEY = 'lock-after-minutes';

/** The time without activity after which keys are locked in this browser. */
export function idleMinutes(): number {
  try {
    const stored = Number(localStorage.getItem(STORAGE_KEY));
    return IDLE_MINUTES.find((minutes) => minutes === stored) ?? DEFAULT_MINUTES;
  } catch {
    return DEFAULT_MINUTES;
  }
}

/** Stores the time; it applies at once, in every tab. */
export function setIdleMinutes(minutes: number): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(minutes));
  } catch {
    // Without storage the default stays.
  }
}

const ACTIVITY = ['pointerdown', 'keydown', 'scroll', 'focus'] as const;
const CHECK_MS = 5_000;

/** Calls back when the page is left or was not used for a while, measured by the clock: timers stand still in sleep. */
export function useIdle(onIdle: () => void, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let last = Date.now();
    const isIdle = () => Date.now() - last >= idleMinutes() * 60_000;
    const onActivity = () => {
      if (!isIdle()) last = Date.now();
    };
    const check = () => {
      if (isIdle()) onIdle();
    };
    for (const event of ACTIVITY) addEventListener(event, onActivity, { capture: true, passive: true });
    document.addEventListener('visibilitychange', check);
    // A browser may keep the memory of a page that was left, for its back button.
    addEventListener('pagehide', onIdle);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      for (const event of ACTIVITY) removeEventListener(event, onActivity, { capture: true });
      document.removeEventListener('visibilitychange', check);
      removeEventListener('pagehide', onIdle);
      clearInterval(timer);
    };
  }, [onIdle, active]);
}
