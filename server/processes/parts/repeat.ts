import { setTimeout as sleep } from 'node:timers/promises';
import { alignedMs } from '../../platform/process/notifier.ts';

const PAUSE_MS = 1_000;

/**
 * Repeats a step each second until it is stopped.
 * @param onFailing receives the first error of a row of failing steps
 */
export function repeat(onFailing: (error: unknown) => void, step: () => Promise<void>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    let failing = false;
    while (!signal.aborted) {
      try {
        await step();
        failing = false;
      } catch (error) {
        if (!failing) onFailing(error);
        failing = true;
      }
      await sleep(alignedMs(PAUSE_MS), undefined, { signal }).catch(() => undefined);
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
