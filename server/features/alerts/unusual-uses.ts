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
  const seen = new Set(earlier.filter(isRead).map(({ token_id }) => token_id));
  const all = [...earlier, ...fresh].filter(isRead);
  const firstUses: { readonly tokenId: string; readonly at: Instant }[] = [];
  const manyReads = new Map<string, { readonly granteeId: string; readonly at: Instant }>();
  for (const use of fresh.filter(isRead)) {
    const { token_id: tokenId, grantee_id: granteeId, at } = use;
    if (!seen.has(tokenId)) firstUses.push({ tokenId, at });
    seen.add(tokenId);
    const day = dayOf(at);
    const byDay = new Map<number, number>();
    for (const other of all) {
      if (other.grantee_id === granteeId && other.at <= at) {
        byDay.set(dayOf(other.at), (byDay.get(dayOf(other.at)) ?? 0) + other.records);
      }
    }
    const today = byDay.get(day) ?? 0;
    byDay.delete(day);
    const total = [...byDay.values()].reduce((sum, records) => sum + records, 0);
    const isMany = byDay.size >= USUAL_DAYS && total > 0 && today > (MANY_TIMES * total) / byDay.size;
    if (isMany && !manyReads.has(`${granteeId} ${day}`)) manyReads.set(`${granteeId} ${day}`, { granteeId, at });
  }
  return { firstUses, manyReads: [...manyReads.values()] };
}

/** In UTC. */
const dayOf = (at: Instant): number => Math.floor(Date.parse(at) / DAY_MS);
