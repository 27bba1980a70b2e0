import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import { type Clock, NOW_MS } from '../platform/db/clock.ts';

/** The end of the chain. The transaction that holds its row lock orders the next operations. */
export interface Head {
  readonly ledgerId: LedgerId;
  readonly relayerPublicKey: string;
  readonly epoch: number;
  /** When a restore began this epoch; null for the first one. Requests signed earlier are refused. */
  readonly epochBeganAt: Instant | null;
  readonly seq: number;
  readonly id: TransactionId | null;
  readonly acceptedAt: Instant | null;
  /** Bytes of items accepted on `budgetDay` (UTC). */
  readonly budgetDay: string;
  readonly budgetBytes: number;
}

interface HeadRow {
  ledger_id: string;
  relayer_public_key: string;
  epoch: number;
  epoch_began_at: string | null;
  seq: number;
  id: string | null;
  accepted_at: string | null;
  budget_day: string;
  budget_bytes: number;
}

const COLUMNS = `ledger_id, relayer_public_key, epoch, epoch_began_at, seq, id, accepted_at,
  budget_day::text AS budget_day, budget_bytes`;

export interface LockedHead {
  readonly head: Head;
  /** The entry at the `seq` that was asked for; null if there is none. */
  readonly idAtSeq: TransactionId | null;
  /** Milliseconds for which other transactions held the lock. */
  readonly waitedMs: number;
}

/** Locks the head for the rest of the transaction, and passes the time of the lock to the clock. */
export async function lockHead(client: ClientBase, clock?: Pick<Clock, 'observe'>): Promise<Head> {
  return (await lockHeadAndFind(client, 0, clock)).head;
}

/**
 * The same, and finds the entry at `seq` in the same statement. An entry that is committed meanwhile is not found: its snapshot
 * is from before the wait for the lock.
 */
export async function lockHeadAndFind(
  client: ClientBase,
  seq: number,
  clock?: Pick<Clock, 'observe'>,
): Promise<LockedHead> {
  const { rows } = await client.query<HeadRow & { now_ms: number; waited_ms: number; id_at_seq: string | null }>({
    name: 'lock-head',
    text: `SELECT ${COLUMNS}, ${NOW_MS} AS now_ms,
        (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::float8 AS waited_ms,
        (SELECT entry.id FROM ledger_entries entry WHERE entry.seq = $1) AS id_at_seq
      FROM (SELECT * FROM ledger_head FOR UPDATE) AS locked`,
    values: [seq],
  });
  const [row] = rows;
  if (!row) throw new Error(NO_HEAD);
  clock?.observe(row.now_ms);
  return { head: fromRow(row), idAtSeq: row.id_at_seq as TransactionId | null, waitedMs: row.waited_ms };
}

export async function readHead(pool: Pick<Pool, 'query'>): Promise<Head> {
  const { rows } = await pool.query<HeadRow>({ name: 'read-head', text: `SELECT ${COLUMNS} FROM ledger_head` });
  const [row] = rows;
  if (!row) throw new Error(NO_HEAD);
  return fromRow(row);
}

const NO_HEAD = 'The ledger has no head: the database was not prepared.';

const fromRow = (row: HeadRow): Head => ({
  ledgerId: row.ledger_id as LedgerId,
  relayerPublicKey: row.relayer_public_key,
  epoch: row.epoch,
  epochBeganAt: row.epoch_began_at,
  seq: row.seq,
  id: row.id as TransactionId | null,
  acceptedAt: row.accepted_at,
  budgetDay: row.budget_day,
  budgetBytes: row.budget_bytes,
});

/** Begins a ledger in a database that has none. */
export async function beginLedger(pool: Pool, ledgerId: LedgerId, relayerPublicKey: string): Promise<void> {
  await pool.query(
    `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, budget_day, budget_bytes)
     VALUES ($1, $2, 1, 0, current_date, 0) ON CONFLICT DO NOTHING`,
    [ledgerId, relayerPublicKey],
  );
}

/** Whether a ledger was begun or restored in this database. */
export async function hasLedger(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM ledger_head');
  return rowCount === 1;
}
