import { createNotifier, type Notifier } from '../../platform/process/notifier.ts';

/** Between two steps at least. */
export const PAUSE_MS = 1_000;

/**
 * Repeats a step until it is stopped, each second while it fails. The step returns the milliseconds until there is work again, unless
 * `woken` is notified before.
 * @param onFailing receives the first error of a row of failing steps
 */
export function repeat(
  onFailing: (error: unknown) => void,
  step: () => Promise<number>,
  woken: Notifier = createNotifier(),
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    let failing = false;
    while (!signal.aborted) {
      const before = woken.count();
      let next = PAUSE_MS;
      try {
        next = await step();
        failing = false;
      } catch (error) {
        if (!failing) onFailing(error);
        failing = true;
      }
      await woken.pause(before, PAUSE_MS, next, signal);
    }
  };
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
