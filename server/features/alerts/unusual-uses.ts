import { DAY_MS } from '../../../protocol/days.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';

/** A use of a consent, as the log of uses has it. */
export interface Use {
  readonly kind: 'submit' | 'read' | 'export';
  readonly token_id: string;
  readonly grantee_id: string;
  readonly records: number;
}

export type TimedUse = Use & { readonly at: Instant };

/** An institution has a usual number of records once it has read on this many days. */
const USUAL_DAYS = 3;
const MANY_TIMES = 10;

/**
 * What is unusual among new reads and exports by institutions: the first one under a consent, and more records in a day than ten times
 * what the institution read on average on the days before on which it read. Each once, the oldest first.
 * @param earlier uses before the new ones, the oldest first, like them
 */
export function unusualUses(earlier: readonly TimedUse[], fresh: readonly TimedUse[], ownerId: string) {
  const isRead = ({ kind, grantee_id }: Use) => kind !== 'submit' && grantee_id !== ownerId;
  const seen = new Set<string>();
  const reads = new Map<string, Reads>();
  const count = (use: TimedUse): Reads => {
    seen.add(use.token_id);
    const counted = withUse(reads.get(use.grantee_id), use);
    reads.set(use.grantee_id, counted);
    return counted;
  };
  for (const use of earlier) if (isRead(use)) count(use);
  const firstUses: { readonly tokenId: string; readonly at: Instant }[] = [];
  const manyReads = new Map<string, { readonly granteeId: string; readonly at: Instant }>();
  for (const use of fresh) {
    if (!isRead(use)) continue;
    const { token_id: tokenId, grantee_id: granteeId, at } = use;
    if (!seen.has(tokenId)) firstUses.push({ tokenId, at });
    const counted = count(use);
    const place = `${granteeId} ${counted.day}`;
    if (isMany(counted) && !manyReads.has(place)) manyReads.set(place, { granteeId, at });
  }
  return { firstUses, manyReads: [...manyReads.values()] };
}

/** What an institution has read: on the last day with a use, and on the days with uses before it. */
interface Reads {
  readonly day: number;
  readonly records: number;
  readonly daysBefore: number;
  readonly recordsBefore: number;
}

function withUse(before: Reads | undefined, { at, records }: TimedUse): Reads {
  const day = dayOf(at);
  if (!before) return { day, records, daysBefore: 0, recordsBefore: 0 };
  if (before.day === day) return { ...before, records: before.records + records };
  const recordsBefore = before.recordsBefore + before.records;
  return { day, records, daysBefore: before.daysBefore + 1, recordsBefore };
}

const isMany = ({ records, daysBefore, recordsBefore }: Reads): boolean =>
  daysBefore >= USUAL_DAYS && recordsBefore > 0 && records > (MANY_TIMES * recordsBefore) / daysBefore;

/** In UTC. */
const dayOf = (at: Instant): number => Math.floor(Date.parse(at) / DAY_MS);
