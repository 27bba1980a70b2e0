import type { Pool, PoolClient } from 'pg';
import { formatCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { leafHashOf } from '../../protocol/transparency/ledger-log.ts';
import {
  EMPTY_ROOT,
  type Frontier,
  frontierOf,
  frontierRoot,
  isSameHash,
  subtreesOf,
} from '../../protocol/transparency/merkle.ts';
import { formatSignatures, type Note, parseSignatures } from '../../protocol/transparency/note.ts';
import { signNote } from '../../protocol/transparency/note-signatures.ts';
import { extendTiles, TILE_WIDTH } from '../../protocol/transparency/tiles.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBacklog } from '../ledger/entries.ts';
import type { LogIdentity } from './log.ts';
import { type Db, idsOfLeaves, readHashes, storeHashes } from './tiles.ts';

/** Held while the tree grows, so that each checkpoint extends the one before it. */
const TREE_LOCK = 7_305_021;
/** Entries that one checkpoint may add, to bound the memory of a service that catches up. */
const MOST_NEW_LEAVES = TILE_WIDTH ** 2;

interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  readonly published: boolean;
}

/**
 * Stores the root of the tree of all FINAL entries, which no restore can lose, or of as many as one step may add. It is stored
 * before it is signed, and only once for a size.
 * @returns whether the tree has grown
 * @throws {Error} if the entries in the database are not those that were in the tree
 */
async function growTree(pool: Pool): Promise<boolean> {
  let grown = false;
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [TREE_LOCK]);
    const last = await newestCheckpoint(client);
    const { finalSeq } = await readBacklog(client);
    const size = last ? Math.min(finalSeq, last.size + MOST_NEW_LEAVES) : 0;
    if (last && size <= last.size) return;
    const root = last ? await extendTree(client, await frontierAt(client, last), size) : EMPTY_ROOT;
    await client.query('INSERT INTO checkpoints (size, root, created_at) VALUES ($1, $2, clock_timestamp())', [
      size,
      Buffer.from(root),
    ]);
    grown = true;
  });
  return grown;
}

/** @returns the root of the extended tree */
async function extendTree(client: PoolClient, frontier: Frontier, size: number) {
  const ids = await idsOfLeaves(client, frontier.size, size);
  const extended = extendTiles(frontier, ids.map(leafHashOf));
  for (const { level, start, hashes } of extended.appended) {
    if (level > 0) await storeHashes(client, level, start, hashes);
  }
  return frontierRoot(extended.frontier);
}

async function frontierAt(client: PoolClient, { size, root }: CheckpointRow): Promise<Frontier> {
  const frontier = frontierOf(size, await readHashes(client, subtreesOf(0, size), size));
  if (isSameHash(frontierRoot(frontier), root)) return frontier;
  throw new Error(`The first ${size} entries are not those of their checkpoint: the database was altered.`);
}

async function newestCheckpoint(db: Db): Promise<CheckpointRow | null> {
  const { rows } = await db.query<CheckpointRow>(
    'SELECT size, root, published_at IS NOT NULL AS published FROM checkpoints ORDER BY size DESC LIMIT 1',
  );
  return rows[0] ?? null;
}

/** Publishes a checkpoint of the tree of all FINAL entries. One process at a time does so. */
export async function publishCheckpoints(pool: Pool, log: LogIdentity): Promise<void> {
  while (await growTree(pool)) await publishNewest(pool, log);
  await publishNewest(pool, log);
}

/** Signs and publishes the newest checkpoint, unless it is published. */
async function publishNewest(db: Db, log: LogIdentity): Promise<void> {
  const newest = await newestCheckpoint(db);
  if (!newest || newest.published) return;
  const signature = formatSignatures([signNote(log.key, textOf(log, newest), log.sign)]);
  await db.query(
    `UPDATE checkpoints SET signatures = $2, published_at = clock_timestamp() WHERE size = $1 AND published_at IS NULL`,
    [newest.size, signature],
  );
}

const textOf = ({ key }: Pick<LogIdentity, 'key'>, { size, root }: Pick<CheckpointRow, 'size' | 'root'>): string =>
  formatCheckpoint({ origin: key.name, size, root, extensions: [] });

export interface PublishedCheckpoint {
  readonly size: number;
  readonly note: Note;
}

/** The newest published checkpoint, or null before the first one. */
export async function readCheckpoint(db: Db, log: Pick<LogIdentity, 'key'>): Promise<PublishedCheckpoint | null> {
  const { rows } = await db.query<Pick<CheckpointRow, 'size' | 'root'> & { signatures: string }>({
    name: 'published-checkpoint',
    text: 'SELECT size, root, signatures FROM checkpoints WHERE published_at IS NOT NULL ORDER BY size DESC LIMIT 1',
  });
  const [row] = rows;
  if (!row) return null;
  return { size: row.size, note: { text: textOf(log, row), signatures: parseSignatures(Buffer.from(row.signatures)) } };
}
