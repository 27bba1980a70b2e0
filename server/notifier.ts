/** Wakes the loops of this process that wait for something to happen. */
export interface Notifier {
  notify(): void;
  /** How often it was notified. A loop reads this before it searches for work, so that it misses none meanwhile. */
  count(): number;
  /** Waits `minMs`, and then until it was notified after `count`, at most `maxMs` in all. */
  pause(count: number, minMs: number, maxMs: number, signal: AbortSignal): Promise<void>;
}

export function createNotifier(): Notifier {
  let notified = 0;
  const waiting = new Set<() => void>();

  function wait(ms: number, signal: AbortSignal, isWoken: boolean): Promise<void> {
    if (signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      if (isWoken) waiting.add(end);
    });
  }

  return {
    notify() {
      notified += 1;
      for (const end of waiting) end();
    },
    count: () => notified,
    async pause(count, minMs, maxMs, signal) {
      await wait(minMs, signal, false);
      if (notified === count) await wait(maxMs - minMs, signal, true);
    },
  };
}
