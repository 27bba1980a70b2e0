import type { RatelimitConfig } from '@upstash/ratelimit';

export type SlidingWindow = RatelimitConfig['limiter'];

/** Where the counters live: what @upstash/ratelimit needs to count there, and nothing of groups or addresses. */
export type LimiterStore = {
  /** The connection that Ratelimit hands to the window. */
  redis: RatelimitConfig['redis'];
  /** At most `limit` charges of one subject in any LIMIT_WINDOW_SECONDS, exactly. */
  window: (limit: number) => SlidingWindow;
  /** The name under which a subject is kept; a shared store never sees the subject itself. */
  nameOf: (subject: string) => string;
  /** Milliseconds; the clock that the window's `reset` is told in. */
  now: () => number;
  /** How long an answer may take; null where it cannot be late. */
  deadlineMs: number | null;
  close: () => Promise<void>;
};

export type SharedStoreOptions = {
  /** A secret that all processes have; without it a reader of the store could guess IPv4 addresses back. */
  hashKey?: string;
  /** Told why a connection failed, at every attempt; the store goes on trying. */
  onError?: (error: Error) => void;
  /** Milliseconds since 1970, close to the same in all processes. */
  now?: () => number;
};
