import type { SlidingWindow } from './limit-store.ts';

type Connection = Parameters<ReturnType<SlidingWindow>['limit']>[0]['redis'];

/**
 * Of several windows, the tightest. `reset`: when the oldest counted charge leaves the window; a retry can then succeed and
 * `remaining` grows.
 */
export type WindowCharge = { allowed: boolean; limit: number; remaining: number; reset: number };

/**
 * Ratelimit passes one name. That of a subject which is counted in several windows holds their names, separated by this; the
 * limits are those of NETWORK_FACTORS. A charge counts in all of them or in none.
 */
export const NAME_SEPARATOR = '|';

/**
 * Adapts one charging function to @upstash/ratelimit. The library's own `slidingWindow` estimates from two fixed
 * windows: it lets nearly twice the limit through in one window, and refuses a retry at its `reset`.
 */
export function slidingWindow(charge: (connection: Connection, name: string) => Promise<WindowCharge>): SlidingWindow {
  return () => ({
    async limit({ redis }, name) {
      const { allowed, remaining, reset, ...window } = await charge(redis, name);
      return { success: allowed, limit: window.limit, remaining, reset, pending: NOTHING_PENDING };
    },
    getRemaining: notOffered,
    resetTokens: notOffered,
  });
}

const NOTHING_PENDING = Promise.resolve();
const notOffered = () => Promise.reject(new Error('this window only charges'));
