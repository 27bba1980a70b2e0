import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { anchorText, entryTags } from '../../../protocol/ledger/entry-tags.ts';
import { createItemSigner, type ItemSigner } from '../../../server/ledger/ans104.ts';
import { newSigningKey } from '../../../server/platform/crypto/signed-request.ts';
import { byteRun } from '../../../server/platform/db/byte-run.ts';

type SignedItem = ReturnType<ItemSigner['sign']>;

/** What becomes an entry. */
export interface BareOperation {
  readonly function: string;
  readonly entityId: string;
  readonly nonceHash: Buffer;
  /** The members that an entry of this function has besides those of every entry. */
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface Committed<Operation> {
  readonly operation: Operation;
  readonly seq: number;
  readonly item: SignedItem;
}

interface Waiting<Operation> {
  readonly operation: Operation;
  readonly resolve: (item: SignedItem) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 256;

/** Nonces and entries of $1 to $8: hashes, ids, places, entities, functions, then all items as one value. */
const ENTRIES = `
  n AS (INSERT INTO nonces (hash, transaction_id, seen_at)
        SELECT hash, id, now() FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)),
  e AS (INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
        SELECT seq, 1, id, function, entity, now(), substring($6::bytea FROM start FOR length)
        FROM unnest($3::bigint[], $2::text[], $5::text[], $4::text[], $7::int[], $8::int[])
          AS e (seq, id, function, entity, start, length))`;
const HEAD = 'UPDATE ledger_head SET seq = $9, id = $10, accepted_at = now()';

/**
 * Commits waiting operations together, one batch after the other; their items form a chain. A batch is one statement, so one
 * round trip and one fsync, into the tables that the service writes.
 * @param rows CTEs that insert the rows of a batch, with parameters from $11 on
 */
export function createCommit<Operation extends BareOperation>(
  pool: Pool,
  rows: string,
  valuesOf: (batch: readonly Committed<Operation>[]) => readonly unknown[],
): (operation: Operation) => Promise<SignedItem> {
  const { privateKey, publicKey } = newSigningKey();
  const signer = createItemSigner(privateKey, Buffer.from(publicKey, 'hex'));
  let [seq, last] = [0, ''];
  const waiting: Waiting<Operation>[] = [];
  let working = false;

  function chain(operation: Operation): Committed<Operation> {
    const { function: name, entityId: entity_id, entry } = operation;
    const placed = { v: 1, epoch: 1, seq: seq + 1, prev: last, accepted_at: new Date().toISOString() };
    const named = { function: name, entity_id };
    const item = signer.sign({
      anchor: hash('sha256', anchorText(last, placed.seq), 'buffer'),
      tags: entryTags({ ...named, seq: placed.seq }),
      data: Buffer.from(JSON.stringify({ ...placed, ...named, ...entry })),
    });
    [seq, last] = [placed.seq, item.id];
    return { operation, seq, item };
  }

  async function commit(operations: readonly Operation[]): Promise<readonly Committed<Operation>[]> {
    const batch = operations.map(chain);
    const items = byteRun(batch.map(({ item }) => item.bytes));
    const values = [
      batch.map(({ operation }) => operation.nonceHash),
      batch.map(({ item }) => item.id),
      batch.map((entry) => entry.seq),
      batch.map(({ operation }) => operation.entityId),
      batch.map(({ operation }) => operation.function),
      ...[items.bytes, items.starts, items.lengths, seq, last],
      ...valuesOf(batch),
    ];
    await pool.query({ name: 'insert', text: `WITH ${ENTRIES}, ${rows} ${HEAD}`, values });
    return batch;
  }

  async function work(): Promise<void> {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      try {
        const committed = await commit(batch.map(({ operation }) => operation));
        batch.forEach(({ resolve }, index) => void resolve((committed[index] as Committed<Operation>).item));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    working = false;
  }

  return (operation) =>
    new Promise((resolve, reject) => {
      waiting.push({ operation, resolve, reject });
      if (!working) void work();
    });
}

/** A digest in the form of a UUID. */
export const uuidOf = (text: string): string =>
  hash('sha1', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
