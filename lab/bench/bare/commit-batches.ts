import type { Pool } from 'pg';
import { byteRun } from '../../../server/platform/db/byte-run.ts';
import { createGroupCommit } from './group-commit.ts';
import { createItemSigner, itemTags, type SignedItem } from './signed-item.ts';

export interface BatchRecord {
  readonly id: string;
  readonly position: number;
  readonly biomarker: string;
  readonly collectedAt: string;
  readonly ciphertext: Buffer;
}

/** A verified and encrypted submission of one institution for one holder. */
export interface Batch {
  readonly holderId: string;
  readonly ieoId: string;
  readonly tokenId: string;
  readonly nonceHash: Buffer;
  readonly salt: string;
  readonly sealed: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Encrypted, as are `access` and `records`. */
  readonly message: Buffer;
  readonly access: Buffer;
  readonly records: readonly BatchRecord[];
}

/** One statement, so one round trip and one fsync per commit, into the tables that the service writes. */
const INSERT = `
  WITH n AS (INSERT INTO nonces (hash, transaction_id, seen_at)
         SELECT hash, id, now() FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)),
       e AS (INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
         SELECT seq, 1, id, 'submitRecords', token, now(), substring($5::bytea FROM start FOR length)
         FROM unnest($3::bigint[], $2::text[], $4::text[], $22::int[], $23::int[]) AS e (seq, id, token, start, length)),
       v AS (INSERT INTO vault_rows (id, owner_id, ciphertext)
         SELECT id, owner, ciphertext FROM unnest($6::text[], $7::uuid[], $8::bytea[]) AS v (id, owner, ciphertext)),
       a AS (INSERT INTO access_events (id, owner_id, at, ciphertext)
         SELECT gen_random_uuid(), owner, now(), ciphertext FROM unnest($7::uuid[], $9::bytea[]) AS a (owner, ciphertext)),
       t AS (UPDATE tokens SET submitted = submitted + more, seq = last
         FROM (SELECT id AS token, sum(count) AS more, max(seq) AS last
               FROM unnest($4::text[], $10::int[], $3::bigint[]) AS s (id, count, seq) GROUP BY 1) AS s
         WHERE tokens.id = s.token),
       r AS (INSERT INTO records (id, owner_id, ieo_id, token_id, biomarker, category, collected_at, submitted_at, status,
           transaction_id, seq, position, ciphertext)
         SELECT r.id, owner, ieo, token, biomarker, left(biomarker, 6), collected, now(), 'ACTIVE', e.id, seq, position,
           substring($12::bytea FROM start FOR length)
         FROM unnest($3::bigint[], $2::text[], $4::text[], $7::uuid[], $11::uuid[]) AS e (seq, id, token, owner, ieo)
           JOIN unnest($13::uuid[], $14::bigint[], $15::text[], $16::timestamptz[], $17::int[], $18::int[], $19::int[])
             AS r (id, seq, biomarker, collected, position, start, length) USING (seq))
  UPDATE ledger_head SET seq = $20, id = $21, accepted_at = now()`;

/** Commits submissions together; their items form a chain. */
export function createBatchCommit(pool: Pool): (batch: Batch) => Promise<SignedItem> {
  const signItem = createItemSigner();
  let seq = 0;
  let last = '';

  return createGroupCommit(async (batches: readonly Batch[]) => {
    const entries = batches.map((batch) => {
      seq += 1;
      const { tokenId, sealed, entry } = batch;
      const chained = { v: 1, epoch: 1, seq, prev: last, accepted_at: new Date().toISOString() };
      const data = JSON.stringify({ ...chained, function: 'submitRecords', entity_id: tokenId, sealed, ...entry });
      const item = signItem(`${last}:${seq}`, itemTags('submitRecords', tokenId, seq), Buffer.from(data));
      last = item.id;
      return { batch, seq, item };
    });
    const records = entries.flatMap(({ batch, seq }) => batch.records.map((record) => ({ seq, record })));
    const ofEntry = <Value>(value: (entry: (typeof entries)[number]) => Value): Value[] => entries.map(value);
    const ofRecord = <Value>(value: (row: (typeof records)[number]) => Value): Value[] => records.map(value);
    const items = byteRun(ofEntry(({ item }) => item.bytes));
    const ciphertexts = byteRun(ofRecord(({ record }) => record.ciphertext));
    const values = [
      ofEntry(({ batch }) => batch.nonceHash),
      ofEntry(({ item }) => item.id),
      ofEntry((entry) => entry.seq),
      ofEntry(({ batch }) => batch.tokenId),
      items.bytes,
      ofEntry(({ batch }) => `sealed:${batch.sealed}`),
      ofEntry(({ batch }) => batch.holderId),
      ofEntry(({ batch }) => batch.message),
      ofEntry(({ batch }) => batch.access),
      ofEntry(({ batch }) => batch.records.length),
      ofEntry(({ batch }) => batch.ieoId),
      ciphertexts.bytes,
      ofRecord(({ record }) => record.id),
      ofRecord((row) => row.seq),
      ofRecord(({ record }) => record.biomarker),
      ofRecord(({ record }) => record.collectedAt),
      ofRecord(({ record }) => record.position),
      ciphertexts.starts,
      ciphertexts.lengths,
      seq,
      last,
      items.starts,
      items.lengths,
    ];
    await pool.query({ name: 'insert', text: INSERT, values });
    return ofEntry(({ item }) => item);
  });
}
