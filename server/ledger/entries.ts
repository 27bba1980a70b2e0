import type { Pool } from 'pg';
import { type Clock, NOW_MS } from '../platform/db/clock.ts';

type Db = Pick<Pool, 'query'>;

export interface StoredItem {
  readonly seq: number;
  readonly id: string;
  readonly item: Buffer;
}

/** The items of consecutive entries, in order. */
export async function itemsBetween(db: Db, firstSeq: number, lastSeq: number): Promise<StoredItem[]> {
  const { rows } = await db.query<StoredItem>({
    name: 'items-between',
    text: 'SELECT seq, id, item FROM ledger_entries WHERE seq BETWEEN $1 AND $2 ORDER BY seq',
    values: [firstSeq, lastSeq],
  });
  return rows;
}

export interface WaitingItem {
  readonly seq: number;
  readonly bytes: number;
  /** Seconds since acceptance. */
  readonly age_seconds: number;
}

/** The oldest entries without a bundle, with their sizes but not their bytes. */
export async function unbundledItems(db: Db, limit: number): Promise<WaitingItem[]> {
  const { rows } = await db.query<WaitingItem>({
    name: 'unbundled-items',
    text: `SELECT seq, octet_length(item) AS bytes, extract(epoch FROM clock_timestamp() - accepted_at)::float8 AS age_seconds
      FROM ledger_entries WHERE seq > coalesce((SELECT last_seq FROM bundles ORDER BY first_seq DESC LIMIT 1), 0) ORDER BY seq LIMIT $1`,
    values: [limit],
  });
  return rows;
}

export interface Backlog {
  /** The number of entries that are not on the network yet. */
  readonly entries: number;
  readonly oldestSeconds: number | null;
  readonly finalSeq: number;
}

/** The seq of the last FINAL entry, as a SQL expression; 0 if there is none. */
export const FINAL_SEQ = `coalesce((SELECT first_seq - 1 FROM bundles WHERE status <> 'FINAL' ORDER BY first_seq LIMIT 1),
  (SELECT last_seq FROM bundles ORDER BY first_seq DESC LIMIT 1), 0)`;

/** The entries that are not on the network yet. */
export async function readBacklog(db: Db, clock?: Pick<Clock, 'observe'>): Promise<Backlog> {
  const { rows } = await db.query<{
    entries: number;
    oldest_seconds: number | null;
    final_seq: number;
    now_ms: number;
  }>({
    name: 'backlog',
    text: `WITH unposted AS (
        SELECT coalesce((SELECT first_seq - 1 FROM bundles WHERE status = 'PREPARED' ORDER BY first_seq LIMIT 1),
                        (SELECT last_seq FROM bundles ORDER BY first_seq DESC LIMIT 1), 0) AS posted_seq)
      SELECT (SELECT seq FROM ledger_head) - posted_seq AS entries,
        (SELECT extract(epoch FROM clock_timestamp() - accepted_at)::float8 FROM ledger_entries WHERE seq = posted_seq + 1) AS oldest_seconds,
        ${FINAL_SEQ} AS final_seq, ${NOW_MS} AS now_ms
      FROM unposted`,
  });
  const [row] = rows;
  if (row) clock?.observe(row.now_ms);
  return {
    entries: row?.entries ?? 0,
    oldestSeconds: row?.oldest_seconds ?? null,
    finalSeq: row?.final_seq ?? 0,
  };
}
