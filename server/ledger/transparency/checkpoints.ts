import type { Pool, PoolClient } from 'pg';
import { formatCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import {
  EMPTY_FRONTIER,
  type Frontier,
  frontierOf,
  frontierRoot,
  type Hash,
  isSameHash,
  subtreesOf,
} from '../../../protocol/transparency/merkle.ts';
import {
  formatSignatures,
  type Note,
  type NoteSignature,
  parseSignatures,
} from '../../../protocol/transparency/note.ts';
import { signNote } from '../../../protocol/transparency/note-signatures.ts';
import { extendTiles, TILE_WIDTH } from '../../../protocol/transparency/tiles.ts';
import { formatVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { FINAL_SEQ } from '../entries.ts';
import type { LogIdentity, PublicLog } from './log-identity.ts';
import { type Db, idsOfLeaves, leafOf, readHashes, rehashTile, storeHashes } from './tiles.ts';

/** Held while the tree grows, so that each checkpoint extends the one before it. */
const TREE_LOCK = 7_305_021;
/** Entries that one checkpoint may add, to bound the memory of a service that catches up, and how long it blocks the event loop. */
const MOST_NEW_LEAVES = 16 * TILE_WIDTH;

interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  /** Signature lines, the log's own first; null until the checkpoint is published. */
  readonly signatures: string | null;
}

interface NewestCheckpoint extends CheckpointRow {
  /** The last FINAL entry; 0 if there is none. */
  readonly finalSeq: number;
}

/**
 * Stores the root of the tree of all FINAL entries, which no restore can lose, or of as many as one step may add. It is stored
 * before it is signed, and only once for a size.
 * @returns whether FINAL entries remain to be added
 * @throws {Error} if the entries in the database are not those that were in the tree
 */
async function growTree(pool: Pool): Promise<boolean> {
  let isBehind = false;
  await inTransaction(pool, async (client) => {
    const last = await lockNewest(client);
    const size = last ? Math.min(last.finalSeq, last.size + MOST_NEW_LEAVES) : 0;
    if (last && size <= last.size) return;
    const frontier = last ? await extendTree(client, await frontierAt(client, last), size) : EMPTY_FRONTIER;
    await client.query('INSERT INTO checkpoints (size, root, created_at) VALUES ($1, $2, clock_timestamp())', [
      size,
      Buffer.from(frontierRoot(frontier)),
    ]);
    isBehind = last === null || size < last.finalSeq;
  });
  return isBehind;
}

/** The tree does not grow elsewhere until the end of the transaction. */
async function lockNewest(client: PoolClient): Promise<NewestCheckpoint | null> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [TREE_LOCK]);
  return newestCheckpoint(client);
}

async function extendTree(client: PoolClient, frontier: Frontier, size: number): Promise<Frontier> {
  const ids = await idsOfLeaves(client, frontier.size, size);
  const extended = extendTiles(frontier, ids.map(leafOf));
  for (const { level, start, hashes } of extended.appended) {
    if (level > 0) await storeHashes(client, level, start, hashes);
  }
  return extended.frontier;
}

async function frontierAt(client: PoolClient, { size, root }: CheckpointRow): Promise<Frontier> {
  const frontier = frontierOf(size, await readHashes(client, subtreesOf(0, size), size));
  if (isSameHash(frontierRoot(frontier), root)) return frontier;
  throw new Error(`The first ${size} entries are not those of their checkpoint: the database was altered.`);
}

async function newestCheckpoint(db: Db): Promise<NewestCheckpoint | null> {
  const { rows } = await db.query<NewestCheckpoint>({
    name: 'newest-checkpoint',
    text: `SELECT size, root, signatures, ${FINAL_SEQ} AS "finalSeq" FROM checkpoints ORDER BY size DESC LIMIT 1`,
  });
  return rows[0] ?? null;
}

/** Requests cosignatures of a checkpoint. Returns once it may be published. */
type Cosign = (note: Note) => Promise<void>;
const publishAtOnce: Cosign = async () => undefined;

/**
 * Publishes, at each call, a checkpoint of the tree of all FINAL entries. One process at a time does so. Only this checkpoint is sent
 * to witnesses: in a database that was restored, those on the way to it may be smaller than what a witness cosigned before. Each call
 * first rehashes another full tile, because the tree grows from the stored hashes of full tiles.
 * @returns a function that returns whether it is to be called again soon, and throws {Error} if the entries in the database are not
 * those that were in the tree; then it signs nothing
 */
export function createPublisher(pool: Pool, log: LogIdentity, cosign: Cosign = publishAtOnce): () => Promise<boolean> {
  let turn = 0;
  return async () => {
    const newest = await newestCheckpoint(pool);
    const size = newest?.size ?? 0;
    const fullTiles = Math.floor(size / TILE_WIDTH);
    if (turn >= fullTiles) turn = 0;
    if (fullTiles > 0) await rehashTile(pool, turn, size);
    turn += 1;
    if (newest && newest.finalSeq <= size) {
      await publish(pool, log, newest, cosign);
      return fullTiles > 0;
    }
    while (await growTree(pool)) await publish(pool, log, await newestCheckpoint(pool));
    await publish(pool, log, await newestCheckpoint(pool), cosign);
    return true;
  };
}

/** Publishes a checkpoint, and again if the log's key has changed. */
async function publish(db: Db, log: LogIdentity, newest: CheckpointRow | null, cosign?: Cosign): Promise<void> {
  if (!newest) return;
  const text = textOf(log, newest);
  const signatures = [signNote(log.key, text, log.sign)];
  const cosigned = cosign?.({ text, signatures });
  const lines = formatSignatures(signatures);
  if (newest.signatures === lines) return;
  await cosigned;
  await db.query(
    `UPDATE checkpoints SET signatures = $2, published_at = coalesce(published_at, clock_timestamp())
     WHERE size = $1 AND signatures IS NOT DISTINCT FROM $3`,
    [newest.size, lines, newest.signatures],
  );
}

/** A checkpoint that the log signed elsewhere. */
export interface SignedElsewhere {
  readonly size: number;
  readonly root: Hash;
  readonly signatures: readonly NoteSignature[];
}

/**
 * Publishes a checkpoint that was signed elsewhere, if it has the root of the entries of this database, which must have all of them.
 * @returns null then, and the root of the entries otherwise
 */
export async function adoptCheckpoint(pool: Pool, { size, root, signatures }: SignedElsewhere): Promise<Hash | null> {
  let other: Hash | null = null;
  await inTransaction(pool, async (client) => {
    const last = await lockNewest(client);
    const ofEntries = frontierRoot(await frontierOfSize(client, last, size));
    if (!isSameHash(ofEntries, root)) {
      other = ofEntries;
      return;
    }
    const { rows } = await client.query<{ signatures: string }>('SELECT signatures FROM checkpoints WHERE size = $1', [
      size,
    ]);
    const known = rows[0] ? parseSignatures(Buffer.from(rows[0].signatures)) : [];
    // Cosignatures arrive later, and a cache may serve the checkpoint without them again.
    const most = known.length > signatures.length ? known : signatures;
    await client.query(
      `INSERT INTO checkpoints (size, root, created_at, signatures, published_at)
       VALUES ($1, $2, clock_timestamp(), $3, clock_timestamp())
       ON CONFLICT (size) DO UPDATE SET signatures = excluded.signatures`,
      [size, Buffer.from(root), formatSignatures(most)],
    );
  });
  return other;
}

/** The frontier of the first entries, of which those after the last checkpoint are added to the tree. */
async function frontierOfSize(client: PoolClient, last: CheckpointRow | null, size: number): Promise<Frontier> {
  if (last && size < last.size) return frontierOf(size, await readHashes(client, subtreesOf(0, size), size));
  let frontier = last ? await frontierAt(client, last) : EMPTY_FRONTIER;
  while (frontier.size < size) {
    frontier = await extendTree(client, frontier, Math.min(size, frontier.size + MOST_NEW_LEAVES));
  }
  return frontier;
}

const textOf = ({ key }: Pick<LogIdentity, 'key'>, { size, root }: Pick<CheckpointRow, 'size' | 'root'>): string =>
  formatCheckpoint({ origin: key.name, size, root, extensions: [] });

/** The checkpoint of one size, or null if none was published. */
export async function readCheckpointOfSize(db: Db, log: PublicLog, size: number): Promise<Note | null> {
  const { rows } = await db.query<PublishedRow>(
    'SELECT size, root, signatures FROM checkpoints WHERE size = $1 AND published_at IS NOT NULL',
    [size],
  );
  return publishedOf(log, rows[0])?.note ?? null;
}

export interface PublishedCheckpoint {
  readonly size: number;
  /** With the cosignatures of the log's witnesses that there are. */
  readonly note: Note;
}

interface PublishedRow {
  readonly size: number;
  readonly root: Buffer;
  /** Lines, the log's own first. */
  readonly signatures: string;
}

const LINES = `c.signatures || coalesce((SELECT string_agg(s.signature, '' ORDER BY array_position($1::text[], s.witness))
  FROM cosignatures s WHERE s.size = c.size AND s.witness = ANY ($1)), '') AS signatures`;

const publishedOf = (log: PublicLog, row: PublishedRow | undefined): PublishedCheckpoint | null =>
  row
    ? { size: row.size, note: { text: textOf(log, row), signatures: parseSignatures(Buffer.from(row.signatures)) } }
    : null;

/** The newest published checkpoint, or null before the first one. */
export async function readCheckpoint(db: Db, log: PublicLog): Promise<PublishedCheckpoint | null> {
  const { rows } = await db.query<PublishedRow>({
    name: 'published-checkpoint',
    text: `SELECT c.size, c.root, ${LINES} FROM checkpoints c WHERE c.published_at IS NOT NULL ORDER BY c.size DESC LIMIT 1`,
    values: [verifierKeysOf(log)],
  });
  return publishedOf(log, rows[0]);
}

/**
 * The published checkpoint that proves most about the leaf `index`: of the newest one, and the last that each witness cosigned, the
 * one with the most cosignatures. So a witness that is missing today does not weaken the proofs of older entries. Null if the
 * leaf is in none. One that only an earlier key of the log signed does not count.
 */
export async function readCheckpointOver(db: Db, log: PublicLog, index: number): Promise<PublishedCheckpoint | null> {
  const { rows } = await db.query<PublishedRow>({
    name: 'published-checkpoint-over',
    text: `WITH candidates AS (
        (SELECT size FROM checkpoints WHERE published_at IS NOT NULL ORDER BY size DESC LIMIT 1)
        UNION SELECT last.size FROM unnest($1::text[]) AS asked (witness), LATERAL (
          SELECT s.size FROM cosignatures s JOIN checkpoints USING (size)
          WHERE s.witness = asked.witness AND published_at IS NOT NULL ORDER BY s.size DESC LIMIT 1) AS last)
      SELECT c.size, c.root, ${LINES} FROM candidates JOIN checkpoints c USING (size)
      WHERE c.size > $2 AND strpos(c.signatures, $3) > 0
      ORDER BY (SELECT count(*) FROM cosignatures s WHERE s.size = c.size AND s.witness = ANY ($1)) DESC, c.size DESC LIMIT 1`,
    values: [verifierKeysOf(log), index, signatureLinePrefix(log)],
  });
  return publishedOf(log, rows[0]);
}

/** Name and key id, as far as their base64 does not depend on the signature. */
const signatureLinePrefix = ({ key: { name, keyId } }: PublicLog): string =>
  `— ${name} ${Buffer.from(keyId, 'hex').toString('base64').slice(0, 5)}`;

const verifierKeysOf = ({ witnesses }: PublicLog): string[] => witnesses.map(({ key }) => formatVerifierKey(key));
