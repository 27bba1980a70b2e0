import { type Day, isDay } from '../days.ts';
import { parseInstant } from '../time.ts';

/** When something was measured: an instant, or a day of the laboratory's calendar. Protocol §8. */
export interface Collected {
  /** Milliseconds since 1970; of a day its noon in UTC, which is inside the day in nearly every zone. */
  readonly at: number;
  /** Null for an instant. */
  readonly day: Day | null;
}

const DAY_LENGTH = 10;

/** Null for what is neither a day nor an ISO 8601 date-time with a zone, in the years 1000 to 9999. */
export function parseCollected(text: string): Collected | null {
  const day = text.length === DAY_LENGTH && isDay(text) ? text : null;
  const at = parseInstant(day === null ? text : `${day}T12:00:00Z`);
  return at === null ? null : { at, day };
}

/** Milliseconds since 1970; NaN for an invalid text. */
export const collectedTime = (text: string): number => parseCollected(text)?.at ?? Number.NaN;

const FIRST_ZONE_MS = 14 * 3_600_000;

/** Today's date where it is latest, in UTC+14: no day after it has begun anywhere. */
export const latestDay = (now: number): Day => new Date(now + FIRST_ZONE_MS).toISOString().slice(0, DAY_LENGTH);
