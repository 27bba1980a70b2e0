/** Wakes the loops of this process that wait for something to happen. */
export interface Notifier {
  notify(): void;
  /** How often it was notified. A loop reads this before it searches for work, so that it misses none meanwhile. */
  count(): number;
  /** Waits `minMs`, and then until it was notified after `count`, at most `maxMs` in all. Both as `alignedMs` has them. */
  pause(count: number, minMs: number, maxMs: number, signal: AbortSignal): Promise<void>;
}

const SECOND_MS = 1_000;
/** Timers may fire early. */
const EARLY_MS = 10;
/** A timer of more milliseconds fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A delay of a second or more, of at most 24 days, shortened so that it ends at a whole second of this process's clock: loops that wake together cost
 * less than half of what they cost one by one.
 */
export function alignedMs(ms: number, now = performance.now()): number {
  if (ms < SECOND_MS) return ms;
  return Math.min(ms, MAX_TIMER_MS, Math.floor((now + ms + EARLY_MS) / SECOND_MS) * SECOND_MS - now);
}

export function createNotifier(): Notifier {
  let notified = 0;
  const waiting = new Set<() => void>();

  return {
    notify() {
      notified += 1;
      for (const wake of waiting) wake();
    },
    count: () => notified,
    pause(count, minMs, maxMs, signal) {
      if (signal.aborted) return Promise.resolve();
      const earliest = performance.now() + alignedMs(minMs);
      return new Promise((resolve) => {
        let timer = setTimeout(end, alignedMs(maxMs));
        function end(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          waiting.delete(wake);
          resolve();
        }
        function wake(): void {
          waiting.delete(wake);
          clearTimeout(timer);
          const left = earliest - performance.now();
          if (left > 0) timer = setTimeout(end, Math.ceil(left));
          else end();
        }
        signal.addEventListener('abort', end);
        if (notified === count) waiting.add(wake);
        else wake();
      });
    },
  };
}
