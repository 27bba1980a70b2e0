import type { Pool } from 'pg';
import { DAY_MS } from '../../protocol/days.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { available } from '../platform/db/pool.ts';
import { firstSeqsFrom } from './first-seqs.ts';

/** The entries of one day in UTC. */
export interface Day {
  /** Its beginning. */
  readonly day: Instant;
  readonly entries: number;
}

interface Parts {
  readonly listPool: Pool;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const ACTIVITY_DAYS = 30;
const FRESH_MS = 30_000;

/** The number of entries of each of the last days, oldest first; the last day is today. */
export async function readActivity({ listPool, now }: Parts): Promise<Day[]> {
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: ACTIVITY_DAYS + 1 }, (_, index) =>
    new Date(today - (ACTIVITY_DAYS - 1 - index) * DAY_MS).toISOString(),
  );
  const firstSeqs = await available(() => firstSeqsFrom(listPool, days));
  const firstSeq = (day: Instant | undefined) => firstSeqs.get(day ?? '') ?? 0;
  return days.slice(0, -1).map((day, index) => ({ day, entries: firstSeq(days[index + 1]) - firstSeq(day) }));
}

interface Cached {
  readonly at: number;
  readonly days: Promise<Day[]>;
}

const cache = new WeakMap<Parts, Cached>();

/** The same, read at most every half minute, whatever the number of visitors. */
export function recentActivity(parts: Parts): Promise<Day[]> {
  const known = cache.get(parts);
  if (known && parts.now() - known.at < FRESH_MS) return known.days;
  const days = readActivity(parts);
  cache.set(parts, { at: parts.now(), days });
  days.catch(() => cache.delete(parts));
  return days;
}
