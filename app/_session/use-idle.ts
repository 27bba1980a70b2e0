import { useEffect } from 'react';

/** A number that is set for this browser; it applies at once, in every tab. */
interface Choice {
  readonly choices: readonly number[];
  read(): number;
  store(chosen: number): void;
}

function choice(name: string, choices: readonly number[], usual: number): Choice {
  return {
    choices,
    read() {
      try {
        const stored = Number(localStorage.getItem(name));
        return choices.find((each) => each === stored) ?? usual;
      } catch {
        return usual;
      }
    },
    store(chosen) {
      try {
        localStorage.setItem(name, String(chosen));
      } catch {
        // Without storage the usual value stays.
      }
    },
  };
}

/** The time without activity after which keys are locked. */
export const IDLE_MINUTES = choice('lock-after-minutes', [1, 5, 10, 30, 60], 10);
/** The time after which keys are locked even in use. */
export const UNLOCKED_HOURS = choice('lock-after-hours', [1, 4, 8, 12, 24], 12);

const ACTIVITY = ['pointerdown', 'keydown', 'click', 'scroll', 'focus'] as const;
const CHECK_MS = 5_000;

/**
 * Calls back when the page is left, was not used for a while, or was active for long, measured by the clock: timers stand still in
 * sleep.
 * @param onLeft where leaving or reloading the page means something else
 */
export function useIdle(onIdle: () => void, active: boolean, onLeft = onIdle): void {
  useEffect(() => {
    if (!active) return;
    const began = Date.now();
    let last = began;
    const isDue = () =>
      Date.now() - last >= IDLE_MINUTES.read() * 60_000 || Date.now() - began >= UNLOCKED_HOURS.read() * 3_600_000;
    const check = () => {
      if (isDue()) onIdle();
    };
    // Before what was clicked: the first activity after sleep may come before the timer.
    const onActivity = () => {
      if (isDue()) onIdle();
      else last = Date.now();
    };
    for (const event of ACTIVITY) addEventListener(event, onActivity, { capture: true, passive: true });
    document.addEventListener('visibilitychange', check);
    // A browser may keep the memory of a page that was left, for its back button.
    addEventListener('pagehide', onLeft);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      for (const event of ACTIVITY) removeEventListener(event, onActivity, { capture: true });
      document.removeEventListener('visibilitychange', check);
      removeEventListener('pagehide', onLeft);
      clearInterval(timer);
    };
  }, [onIdle, active, onLeft]);
}
