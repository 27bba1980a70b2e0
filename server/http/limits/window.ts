import type { SlidingWindow } from './store.ts';

type Connection = Parameters<ReturnType<SlidingWindow>['limit']>[0]['redis'];

/** `reset`: when the oldest counted charge leaves the window; a retry can then succeed and `remaining` grows. */
export type WindowCharge = { allowed: boolean; remaining: number; reset: number };

/**
 * Adapts one charging function to @upstash/ratelimit. The library's own `slidingWindow` estimates from two fixed
 * windows: it lets nearly twice the limit through in one window, and refuses a retry at its `reset`.
 */
export function slidingWindow(
  limit: number,
  charge: (connection: Connection, name: string) => Promise<WindowCharge>,
): SlidingWindow {
  return () => ({
    async limit({ redis }, name) {
      const { allowed, remaining, reset } = await charge(redis, name);
      return { success: allowed, limit, remaining, reset, pending: NOTHING_PENDING };
    },
    getRemaining: notOffered,
    resetTokens: notOffered,
  });
}

const NOTHING_PENDING = Promise.resolve();
const notOffered = () => Promise.reject(new Error('this window only charges'));
