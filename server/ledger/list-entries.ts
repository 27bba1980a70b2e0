import type { Pool } from 'pg';
import type { Instant, LedgerStatus } from '../../protocol/entities/recorded.ts';
import { available } from '../platform/db/pool.ts';
import { firstSeqsFrom } from './first-seqs.ts';
import { BUNDLE, type EntrySummary, PLACE, SUMMARY } from './read.ts';

/** The entries to list; null selects all. */
export interface EntryFilters {
  readonly functions: readonly string[] | null;
  readonly status: LedgerStatus | null;
  /** Accepted from this time on, and before that one. */
  readonly from: Instant | null;
  readonly until: Instant | null;
}

/** A page ends before the seq `before`, or begins after the seq `after`; with neither it begins at the newest entry. */
export interface EntryPlace {
  readonly before: number | null;
  readonly after: number | null;
}

export interface EntryPage<Entry = EntrySummary> {
  /** Newest first. */
  readonly entries: Entry[];
  /** `after` of the page with newer entries; null on the first page. */
  readonly newer: number | null;
  /** `before` of the page with older entries; null on the last page. */
  readonly older: number | null;
}

/** Entries read at most for a page of those with one status. A page may be short, and the next one continues it. */
export const MAX_READ = 1_000;

interface Parts {
  readonly listPool: Pool;
}

/** A page of entries, read along an index. */
export async function listEntries(
  parts: Parts,
  filters: EntryFilters,
  place: EntryPlace,
  limit: number,
): Promise<EntryPage> {
  const range = both(await rangeOf(parts, filters.status), await rangeBetween(parts, filters));
  if (place.after !== null) {
    const low = Math.max(range.low, place.after + 1);
    const { found, end } = await read(parts, filters, { low, high: range.high }, 'ASC', limit);
    // A page that reaches the newest entry is the first page, which is full.
    if (end !== null) return { entries: found.toReversed(), newer: end, older: found[0]?.seq ?? place.after + 1 };
  }
  const before = place.after === null ? place.before : null;
  const high = before === null ? range.high : Math.min(range.high, before - 1);
  const { found, end } = await read(parts, filters, { low: range.low, high }, 'DESC', limit);
  return { entries: found, newer: before === null ? null : (found[0]?.seq ?? before - 1), older: end };
}

/** Two seqs, both included. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const ALL: Range = { low: 1, high: Number.MAX_SAFE_INTEGER };

/** A literal: with a parameter the index of unfinished bundles would not be used. */
const bundleWith = (status: string, column: string, order: string): string =>
  `(SELECT ${column} FROM bundles WHERE status = '${status}' ORDER BY first_seq ${order} LIMIT 1)`;

/** The seqs between which entries with a status are; others may be among them. */
async function rangeOf({ listPool }: Parts, status: LedgerStatus | null): Promise<Range> {
  if (status === null) return ALL;
  const text =
    status === 'ACCEPTED'
      ? `SELECT coalesce(${bundleWith('PREPARED', 'first_seq', 'ASC')},
           (SELECT last_seq + 1 FROM bundles ORDER BY first_seq DESC LIMIT 1)) AS low, NULL::bigint AS high`
      : `SELECT ${bundleWith(status, 'first_seq', 'ASC')} AS low,
           coalesce(${bundleWith(status, 'last_seq', 'DESC')}, 0) AS high`;
  const { rows } = await available(() =>
    listPool.query<{ low: number | null; high: number | null }>({ name: `seqs-of-${status}`, text }),
  );
  return { low: rows[0]?.low ?? ALL.low, high: rows[0]?.high ?? ALL.high };
}

/** The seqs of the entries that were accepted between two times. */
async function rangeBetween(
  { listPool }: Parts,
  { from, until }: Pick<EntryFilters, 'from' | 'until'>,
): Promise<Range> {
  const times = [from, until].filter((time) => time !== null);
  if (times.length === 0) return ALL;
  const first = await available(() => firstSeqsFrom(listPool, times));
  const end = first.get(until ?? '');
  return { low: first.get(from ?? '') ?? ALL.low, high: end === undefined ? ALL.high : end - 1 };
}

const both = (one: Range, other: Range): Range => ({
  low: Math.max(one.low, other.low),
  high: Math.min(one.high, other.high),
});

type Order = 'ASC' | 'DESC';

/** The first `limit` matching entries in the order; `end` is the seq to continue from, null if there are no more. */
async function read({ listPool }: Parts, filters: EntryFilters, { low, high }: Range, order: Order, limit: number) {
  const { functions, status } = filters;
  const most = status === null ? limit + 1 : MAX_READ;
  const { rows } = await available(() =>
    listPool.query<EntrySummary>({
      name: `entries-${functions ? 'of-functions' : 'of-all'}-${order}`,
      text: `WITH wanted AS (${functions ? ofFunctions(order) : ofAll(order)})
        SELECT ${SUMMARY}, ${PLACE} FROM wanted JOIN ledger_entries e USING (seq) ${BUNDLE} ORDER BY e.seq ${order}`,
      values: [low, high, most, ...(functions ? [functions] : [])],
    }),
  );
  const matching = status === null ? rows : rows.filter((row) => row.status === status);
  const found = matching.slice(0, limit);
  if (matching.length > limit) return { found, end: found.at(-1)?.seq ?? null };
  return { found, end: rows.length === most ? (rows.at(-1)?.seq ?? null) : null };
}

/** An entry with the id of its entity. */
export type PlacedEntry = Pick<EntrySummary, 'id' | 'seq' | 'function' | 'entity_id' | 'accepted_at'>;

/** The first `most` entries of some functions between two seqs, oldest first. */
export async function entriesOfFunctions(
  db: Pick<Pool, 'query'>,
  functions: readonly string[],
  { low, high }: Range,
  most: number,
): Promise<PlacedEntry[]> {
  const { rows } = await db.query<PlacedEntry>({
    name: 'placed-entries-of-functions',
    text: `WITH wanted AS (${ofFunctions('ASC')})
      SELECT e.id, e.seq, e.function, e.entity_id, e.accepted_at FROM wanted JOIN ledger_entries e USING (seq) ORDER BY e.seq`,
    values: [low, high, most, functions],
  });
  return rows;
}

const ofAll = (order: Order): string =>
  `SELECT seq FROM ledger_entries WHERE seq BETWEEN $1 AND $2 ORDER BY seq ${order} LIMIT $3`;

/** Each function has a range of the index; together they are merged. */
const ofFunctions = (order: Order): string =>
  `SELECT of_one.seq FROM unnest($4::text[]) AS wanted_function CROSS JOIN LATERAL
     (SELECT seq FROM ledger_entries WHERE function = wanted_function AND seq BETWEEN $1 AND $2
      ORDER BY seq ${order} LIMIT $3) of_one
   ORDER BY of_one.seq ${order} LIMIT $3`;
