import { useEffect } from 'react';

/** After how long without a sign of the person keys are put away, in ms. */
export const IDLE_MS = 10 * 60_000;

const SIGNS = ['pointerdown', 'keydown', 'scroll', 'focus'] as const;
const LOOK_MS = 5_000;

/** Calls back once nobody has used the page for a while, also where the device slept meanwhile, and when the page is left. */
export function useIdle(onIdle: () => void, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let last = Date.now();
    const noticed = () => {
      if (Date.now() - last < IDLE_MS) last = Date.now();
    };
    const look = () => {
      if (Date.now() - last >= IDLE_MS) onIdle();
    };
    for (const sign of SIGNS) addEventListener(sign, noticed, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    // A browser may keep a page that was left, memory and all, for its back button.
    addEventListener('pagehide', onIdle);
    const timer = setInterval(look, LOOK_MS);
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, noticed, { capture: true });
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pagehide', onIdle);
      clearInterval(timer);
    };
  }, [onIdle, active]);
}
