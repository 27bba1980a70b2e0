import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../protocol/entities.ts';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';

/** The end of the chain. Whoever holds its row lock orders the next operations. */
export interface Head {
  readonly ledgerId: LedgerId;
  readonly relayerPublicKey: string;
  readonly epoch: number;
  /** When this epoch began, for epochs that a restore began; signed requests from before are refused. */
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

/** Locks the head for the rest of the transaction. */
export async function lockHead(client: ClientBase): Promise<Head> {
  return read(client, { name: 'lock-head', text: `SELECT ${COLUMNS} FROM ledger_head FOR UPDATE` });
}

export async function readHead(pool: Pick<Pool, 'query'>): Promise<Head> {
  return read(pool as ClientBase, { name: 'read-head', text: `SELECT ${COLUMNS} FROM ledger_head` });
}

async function read(client: ClientBase, query: { name: string; text: string }): Promise<Head> {
  const { rows } = await client.query<HeadRow>(query);
  const [row] = rows;
  if (!row) throw new Error('The ledger has no head: the database was not prepared.');
  return fromRow(row);
}

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
