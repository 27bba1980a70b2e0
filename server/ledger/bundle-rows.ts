import type { Pool } from 'pg';
import type { LedgerStatus } from '../../protocol/entities/recorded.ts';
import type { SignedTransaction } from '../network/arweave-transaction.ts';

/** A range of consecutive entries and the Arweave transaction that contains them. PREPARED: signed and stored, not posted. */
export interface BundleRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly bytes: number;
  readonly l1_tx: string;
  readonly data_sha256: string;
  readonly anchor_height: number;
  readonly status: 'PREPARED' | Exclude<LedgerStatus, 'ACCEPTED'>;
  readonly block_height: number | null;
  readonly confirmations: number;
}

const COLUMNS = `first_seq, last_seq, bytes, l1_tx, data_sha256, anchor_height, status, block_height, confirmations`;

type Db = Pick<Pool, 'query'>;

export async function unfinishedBundles(db: Db, limit = 500): Promise<BundleRow[]> {
  const { rows } = await db.query<BundleRow>({
    name: 'unfinished-bundles',
    text: `SELECT ${COLUMNS} FROM bundles WHERE status <> 'FINAL' ORDER BY first_seq LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** The signed transaction of a bundle. */
export async function signedTransaction(db: Db, l1Tx: string): Promise<SignedTransaction> {
  const { rows } = await db.query<{ transaction: SignedTransaction }>(
    'SELECT transaction FROM bundles WHERE l1_tx = $1',
    [l1Tx],
  );
  const [row] = rows;
  if (!row) throw new Error(`No bundle has the transaction ${l1Tx}.`);
  return row.transaction;
}

export interface PreparedBundle {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly transaction: SignedTransaction;
  readonly l1Tx: string;
  readonly dataSha256: string;
  readonly reward: bigint;
  readonly anchorHeight: number;
}

/** Stores a signed transaction before it is posted. Fails if another relay has stored the same entries. */
export async function insertBundle(db: Db, bundle: PreparedBundle): Promise<void> {
  await db.query(
    `INSERT INTO bundles (first_seq, last_seq, bytes, l1_tx, transaction, data_sha256, reward_winston, anchor_height, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'PREPARED')`,
    [bundle.firstSeq, bundle.lastSeq, bundle.bytes, ...transactionColumns(bundle)],
  );
}

/** Replaces a transaction that can no longer be mined. */
export async function replaceBundle(db: Db, oldL1Tx: string, bundle: PreparedBundle): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE bundles SET l1_tx = $2, transaction = $3, data_sha256 = $4, reward_winston = $5, anchor_height = $6,
       status = 'PREPARED', block_height = NULL, confirmations = 0, prepared_at = now(), posted_at = NULL, checked_at = NULL,
       superseded_tx = superseded_tx || l1_tx
     WHERE l1_tx = $1`,
    [oldL1Tx, ...transactionColumns(bundle)],
  );
  if (rowCount !== 1) throw new Error(`Another relay has already replaced the transaction ${oldL1Tx}.`);
}

const transactionColumns = (bundle: PreparedBundle): unknown[] => [
  bundle.l1Tx,
  JSON.stringify(bundle.transaction),
  bundle.dataSha256,
  bundle.reward.toString(),
  bundle.anchorHeight,
];

export async function markPosted(db: Db, l1Tx: string): Promise<void> {
  await db.query(
    `UPDATE bundles SET status = 'POSTED', posted_at = now(), checked_at = now(), block_height = NULL, confirmations = 0
     WHERE l1_tx = $1`,
    [l1Tx],
  );
}

export async function markMined(
  db: Db,
  l1Tx: string,
  status: 'CONFIRMED' | 'FINAL',
  blockHeight: number,
  confirmations: number,
): Promise<void> {
  await db.query(
    'UPDATE bundles SET status = $2, block_height = $3, confirmations = $4, checked_at = now() WHERE l1_tx = $1',
    [l1Tx, status, blockHeight, confirmations],
  );
}

/** Bytes signed for the network since midnight UTC. */
export async function bytesPreparedToday(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM bundles
     WHERE prepared_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
  );
  return rows[0]?.bytes ?? 0;
}
