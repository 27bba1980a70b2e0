import type { RatelimitConfig } from '@upstash/ratelimit';

export type SlidingWindow = RatelimitConfig['limiter'];

/** The storage that @upstash/ratelimit counts in. It knows neither groups nor addresses. */
export type LimiterStore = {
  /** The connection that Ratelimit passes to the window. */
  redis: RatelimitConfig['redis'];
  /** At most `limit` charges of one subject in any LIMIT_WINDOW_SECONDS, exactly. */
  window: (limit: number) => SlidingWindow;
  /** The stored name of a subject; a shared store never sees the subject itself. */
  nameOf: (subject: string) => string;
  /** The clock of the window's `reset`, in ms. */
  now: () => number;
  /** The timeout for a charge in ms; null if it cannot be late. */
  deadlineMs: number | null;
  close: () => Promise<void>;
};

export type SharedStoreOptions = {
  /** A secret shared by all processes; without it a reader of the store could recover IPv4 addresses. */
  hashKey?: string;
  /** Receives every connection error; the store keeps retrying. */
  onError?: (error: Error) => void;
  /** Milliseconds since 1970, nearly the same in all processes. */
  now?: () => number;
};
