import type { SlidingWindow } from './store.ts';

type Connection = Parameters<ReturnType<SlidingWindow>['limit']>[0]['redis'];

/** `reset`: when the oldest counted charge leaves the window, that is, when a retry can succeed and `remaining` next grows. */
export type WindowCharge = { allowed: boolean; remaining: number; reset: number };

/**
 * Makes an algorithm of @upstash/ratelimit out of one charging function. Its own `slidingWindow` weighs two fixed
 * windows: it lets nearly twice the limit through within one window, and a retry at its `reset` is refused.
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
