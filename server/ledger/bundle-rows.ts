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
  /** Whether it was mined, and a gateway did not return its bytes when they were last read. */
  readonly lacks_data: boolean;
  /** How often its entries were signed again. */
  readonly superseded: number;
}

const COLUMNS = `first_seq, last_seq, bytes, l1_tx, data_sha256, anchor_height, status, block_height, confirmations,
  lacks_data_since IS NOT NULL AS lacks_data, cardinality(superseded_tx) AS superseded`;

type Db = Pick<Pool, 'query'>;

/** Those that the network may not have come first, then those that were checked longest ago. */
export async function unfinishedBundles(db: Db, limit = 500): Promise<BundleRow[]> {
  const { rows } = await db.query<BundleRow>({
    name: 'unfinished-bundles',
    text: `SELECT ${COLUMNS} FROM bundles WHERE status <> 'FINAL'
      ORDER BY status = 'CONFIRMED', status = 'POSTED', checked_at NULLS FIRST, first_seq LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** The signed transaction of a bundle, and whether it was posted; null if its entries were signed again meanwhile. */
export async function signedTransaction(
  db: Db,
  l1Tx: string,
): Promise<{ readonly transaction: SignedTransaction; readonly isPrepared: boolean } | null> {
  const { rows } = await db.query<{ transaction: SignedTransaction; isPrepared: boolean }>(
    `SELECT transaction, status = 'PREPARED' AS "isPrepared" FROM bundles WHERE l1_tx = $1`,
    [l1Tx],
  );
  return rows[0] ?? null;
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

/** @param lacksData null if this is not known */
export async function markMined(
  db: Db,
  l1Tx: string,
  { status, blockHeight, confirmations, lacksData }: MinedBundle,
): Promise<void> {
  await db.query(
    `UPDATE bundles SET status = $2, block_height = $3, confirmations = $4, checked_at = now(),
       lacks_data_since = CASE $5::boolean WHEN true THEN coalesce(lacks_data_since, now())
         WHEN false THEN NULL ELSE lacks_data_since END
     WHERE l1_tx = $1`,
    [l1Tx, status, blockHeight, confirmations, lacksData],
  );
}

export interface MinedBundle {
  readonly status: 'CONFIRMED' | 'FINAL';
  readonly blockHeight: number;
  readonly confirmations: number;
  readonly lacksData: boolean | null;
}

/** Mined bundles whose bytes the network did not return, and for how long the first of them. */
export async function readLackingData(db: Db): Promise<{ readonly bundles: number; readonly seconds: number }> {
  const { rows } = await db.query<{ bundles: number; seconds: number }>({
    name: 'read-lacking-data',
    text: `SELECT count(*)::int AS bundles,
        coalesce(extract(epoch FROM clock_timestamp() - min(lacks_data_since)), 0)::float8 AS seconds
      FROM bundles WHERE status = 'CONFIRMED' AND lacks_data_since IS NOT NULL`,
  });
  return rows[0] ?? { bundles: 0, seconds: 0 };
}

/** Bytes signed for the network since midnight UTC. */
export async function bytesPreparedToday(db: Db): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM bundles
     WHERE prepared_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
  );
  return rows[0]?.bytes ?? 0;
}
