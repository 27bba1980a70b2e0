import type { ClientBase } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';

type Db = Pick<ClientBase, 'query'>;

/** How far the ledger is settled: every later entry has a higher seq, and is accepted at `at` or later. */
export interface Horizon {
  readonly seq: number;
  readonly at: Instant;
}

/** Null if the ledger has no entry. */
export async function readHorizon(db: Db): Promise<Horizon | null> {
  const { rows } = await db.query<{ seq: number; at: Instant | null }>({
    name: 'read-horizon',
    text: 'SELECT seq, accepted_at AS at FROM ledger_head',
  });
  const [head] = rows;
  return head && head.at !== null ? { seq: head.seq, at: head.at } : null;
}

/** The horizon when the entry `seq`, which exists, was the last one. */
export async function horizonAt(db: Db, seq: number): Promise<Horizon> {
  const { rows } = await db.query<Horizon>({
    name: 'horizon-at',
    text: 'SELECT seq, accepted_at AS at FROM ledger_entries WHERE seq = $1',
    values: [seq],
  });
  const [entry] = rows;
  if (!entry) throw new Error(`The ledger has no entry ${seq}.`);
  return entry;
}

/**
 * Moves the time of the ledger's head forward, so that no later entry is accepted earlier: a consent that has expired
 * by then has its final place among the entries. Does nothing while a batch of writes holds the lock of the head: that
 * batch moves the time itself.
 * @param now milliseconds since 1970
 */
export async function advanceHorizon(db: Db, now: number): Promise<void> {
  await db.query({
    name: 'advance-horizon',
    text: `UPDATE ledger_head SET accepted_at = greatest(accepted_at, $1::timestamptz) WHERE single IN
             (SELECT single FROM ledger_head WHERE accepted_at < $1::timestamptz FOR UPDATE SKIP LOCKED)`,
    values: [new Date(now).toISOString()],
  });
}
