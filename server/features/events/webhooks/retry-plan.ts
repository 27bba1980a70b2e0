const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failed attempt, in ms; the last one repeats. Issue of the events, protocol §9. */
const DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS] as const;
const MAX_DELAY_MS = 10 * HOUR_MS;

/** After this time without a success, delivery pauses. */
export const MAX_FAILING_MS = 72 * HOUR_MS;

/** Delays are up to a tenth longer, so that receivers that failed together are not retried together. */
const JITTER = 0.1;

export interface Failing {
  /** Failed attempts in a row, this one included. */
  readonly failures: number;
  /** The first of them, in ms since 1970. */
  readonly since: number;
  readonly now: number;
  /** Seconds that the receiver asked to wait. */
  readonly retryAfter: number | null;
}

/**
 * When to try again, in ms since 1970; null if delivery pauses. The last attempt is three days after the first one.
 * @param random from 0 to 1
 */
export function retryAt({ failures, since, now, retryAfter }: Failing, random = Math.random()): number | null {
  const end = since + MAX_FAILING_MS;
  if (now >= end) return null;
  const scheduled = (DELAYS_MS[failures - 1] ?? MAX_DELAY_MS) * (1 + JITTER * random);
  const asked = Math.min((retryAfter ?? 0) * SECOND_MS, MAX_DELAY_MS);
  return Math.min(now + Math.max(scheduled, asked), end);
}
