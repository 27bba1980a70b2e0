import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { createItemSigner, type SignedItem } from './signed-item.ts';

export interface CreateRequest {
  readonly domain: string;
  readonly publicKey: string;
  readonly recovery: null;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
}

interface Waiting {
  readonly request: CreateRequest;
  readonly resolve: (item: SignedItem) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 256;

/** One statement, so one round trip and one fsync a batch; the same five tables that an accepted createBEO is written to. */
const INSERT = `
  WITH n AS (INSERT INTO nonces (hash, transaction_id, seen_at)
         SELECT hash, id, now() FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)),
       e AS (INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
         SELECT seq, 1, id, 'createBEO', entity, now(), item
         FROM unnest($3::bigint[], $2::text[], $4::text[], $5::bytea[]) AS e (seq, id, entity, item)),
       m AS (INSERT INTO names (id, holder_kind, holder_id, transaction_id, seq)
         SELECT domain, 'BEO', entity::uuid, id, seq
         FROM unnest($6::text[], $4::text[], $2::text[], $3::bigint[]) AS m (domain, entity, id, seq)),
       b AS (INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
         SELECT entity::uuid, domain, key, 1, 'ACTIVE', now(), now(), '{"enabled":false,"guardians":[]}', id, seq
         FROM unnest($4::text[], $6::text[], $7::text[], $2::text[], $3::bigint[]) AS b (entity, domain, key, id, seq))
  UPDATE ledger_head SET seq = $8, id = $9, accepted_at = now()`;

/** Makes whatever is waiting durable in one statement, batch after batch; the items form a chain. */
export function createGroupCommit(pool: Pool): (request: CreateRequest) => Promise<SignedItem> {
  const signItem = createItemSigner();
  let waiting: Waiting[] = [];
  let working = false;
  let seq = 0;
  let last = '';

  async function work(): Promise<void> {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const items = await commit(batch.map(({ request }) => request));
        batch.forEach(({ resolve }, index) => void resolve(items[index] as SignedItem));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    working = false;
  }

  async function commit(requests: readonly CreateRequest[]): Promise<SignedItem[]> {
    const rows = requests.map(({ signature, ...message }) => {
      seq += 1;
      const entity = uuidOf(signature);
      const entry = { v: 1, epoch: 1, seq, prev: last, accepted_at: message.timestamp, function: 'createBEO' };
      const data = JSON.stringify({ ...entry, entity_id: entity, signer: message.publicKey, signature, message });
      const item = signItem(`${last}:${seq}`, tagsOf(entity, seq), Buffer.from(data));
      last = item.id;
      return { seq, entity, item, message, nonce: hash('sha256', message.publicKey + message.nonce, 'buffer') };
    });
    const column = <Value>(value: (row: (typeof rows)[number]) => Value): Value[] => rows.map(value);
    const values = [
      column(({ nonce }) => nonce),
      column(({ item }) => item.id),
      column((row) => row.seq),
      column(({ entity }) => entity),
      column(({ item }) => item.bytes),
      column(({ message }) => message.domain),
      column(({ message }) => message.publicKey),
      seq,
      last,
    ];
    await pool.query({ name: 'insert', text: INSERT, values });
    return column(({ item }) => item);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!working) void work();
    });
}

const uuidOf = (signature: string): string =>
  hash('sha1', signature).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

const tagsOf = (entity: string, seq: number): Buffer =>
  Buffer.from(
    `App-Name Perpetua App-Version 1 Content-Type application/json Function createBEO Entity-Id ${entity} Seq ${seq}`,
  );
