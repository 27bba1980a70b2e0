import type { RatelimitConfig } from '@upstash/ratelimit';
import type { WindowCharge } from './window.ts';

export type SlidingWindow = RatelimitConfig['limiter'];

/** Where charges are counted. It knows neither groups nor addresses. */
export type LimiterStore = LocalStore | SharedStore;

type StoreBase = {
  /** The stored name of a subject; a shared store never sees the subject itself. */
  nameOf: (subject: string) => string;
  /** The clock of the window's `reset`, in ms. */
  now: () => number;
  close: () => Promise<void>;
};

/** In this process. */
export type LocalStore = StoreBase & {
  /** Counts a charge of one subject: at most `limit` in any LIMIT_WINDOW_SECONDS, exactly. See NAME_SEPARATOR. */
  charge: (name: string, limit: number) => WindowCharge;
};

/** Elsewhere. @upstash/ratelimit counts in it. */
export type SharedStore = StoreBase & {
  /** The connection that Ratelimit passes to the window. */
  redis: RatelimitConfig['redis'];
  /** At most `limit` charges of one subject in any LIMIT_WINDOW_SECONDS, exactly. */
  window: (limit: number) => SlidingWindow;
  /** The timeout for a charge in ms. */
  deadlineMs: number;
};

export type SharedStoreOptions = {
  /** A secret shared by all processes; without it a reader of the store could recover IPv4 addresses. */
  hashKey?: string;
  /** Receives every connection error; the store keeps retrying. */
  onError?: (error: Error) => void;
  /** Milliseconds since 1970, nearly the same in all processes. */
  now?: () => number;
  /** A charge that takes longer fails; after twice as long the connection is given up. DEADLINE_MS, except in tests. */
  deadlineMs?: number;
};
