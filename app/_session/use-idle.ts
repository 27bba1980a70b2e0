import { useEffect } from 'react';

/** The time without activity after which keys are locked, in ms. */
export const IDLE_MS = 10 * 60_000;

const ACTIVITY = ['pointerdown', 'keydown', 'scroll', 'focus'] as const;
const CHECK_MS = 5_000;

/** Calls back when the page is left or was not used for a while, measured by the clock: timers stand still in sleep. */
export function useIdle(onIdle: () => void, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let last = Date.now();
    const onActivity = () => {
      if (Date.now() - last < IDLE_MS) last = Date.now();
    };
    const check = () => {
      if (Date.now() - last >= IDLE_MS) onIdle();
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
