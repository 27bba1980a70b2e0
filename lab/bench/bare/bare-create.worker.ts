import { hash, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { Pool } from 'pg';
import { publicKeyObject } from '../../../server/platform/crypto/node-ed25519.ts';
import { byteRun } from '../../../server/platform/db/byte-run.ts';
import { sendJson, serveBare, withBody } from './bare-server.ts';
import { createGroupCommit } from './group-commit.ts';
import { createItemSigner, itemTags, type SignedItem, uuidOf } from './signed-item.ts';

interface CreateRequest {
  readonly domain: string;
  readonly publicKey: string;
  readonly recovery: null;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
}

// The minimum work for a createBEO: node:http, JSON.parse, native verification, item signing, one insert for a batch.
serveBare((pool) => {
  const commit = createCommit(pool);
  return createServer(
    withBody(async (body, response) => {
      const request = JSON.parse(body.toString()) as CreateRequest;
      if (!(await isSigned(request))) return sendJson(response, 401, { error: 'The signature is wrong.' });
      const { id, bytes } = await commit(request);
      sendJson(response, 201, { transactionId: id, receipt: bytes.toString('base64'), domain: request.domain });
    }),
  );
});

function isSigned({ signature, domain, nonce, publicKey, recovery, timestamp }: CreateRequest): Promise<boolean> {
  const message = JSON.stringify({ domain, function: 'createBEO', nonce, publicKey, recovery, timestamp });
  const key = publicKeyObject(Buffer.from(publicKey, 'hex'));
  return new Promise((resolve) => {
    verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'), (error, valid) =>
      resolve(!error && valid),
    );
  });
}

/** One statement, so one round trip and one fsync per batch, into the tables that the service writes. */
const INSERT = `
  WITH n AS (INSERT INTO nonces (hash, transaction_id, seen_at)
         SELECT hash, id, now() FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)),
       e AS (INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
         SELECT seq, 1, id, 'createBEO', entity, now(), substring($5::bytea FROM start FOR length)
         FROM unnest($3::bigint[], $2::text[], $4::text[], $10::int[], $11::int[]) AS e (seq, id, entity, start, length)),
       m AS (INSERT INTO names (id, holder_kind, holder_id, transaction_id, seq)
         SELECT domain, 'BEO', entity::uuid, id, seq
         FROM unnest($6::text[], $4::text[], $2::text[], $3::bigint[]) AS m (domain, entity, id, seq)),
       b AS (INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
         SELECT entity::uuid, domain, key, 1, 'ACTIVE', now(), now(), '{"enabled":false,"guardians":[]}', id, seq
         FROM unnest($4::text[], $6::text[], $7::text[], $2::text[], $3::bigint[]) AS b (entity, domain, key, id, seq))
  UPDATE ledger_head SET seq = $8, id = $9, accepted_at = now()`;

/** Commits new identities in batches; their items form a chain. */
function createCommit(pool: Pool): (request: CreateRequest) => Promise<SignedItem> {
  const signItem = createItemSigner();
  let seq = 0;
  let last = '';

  return createGroupCommit(async (requests: readonly CreateRequest[]) => {
    const rows = requests.map(({ signature, ...message }) => {
      seq += 1;
      const entity = uuidOf(signature);
      const entry = { v: 1, epoch: 1, seq, prev: last, accepted_at: message.timestamp, function: 'createBEO' };
      const data = JSON.stringify({ ...entry, entity_id: entity, signer: message.publicKey, signature, message });
      const item = signItem(`${last}:${seq}`, itemTags('createBEO', entity, seq), Buffer.from(data));
      last = item.id;
      return { seq, entity, item, message, nonce: hash('sha256', message.publicKey + message.nonce, 'buffer') };
    });
    const items = byteRun(rows.map(({ item }) => item.bytes));
    const column = <Value>(value: (row: (typeof rows)[number]) => Value): Value[] => rows.map(value);
    const values = [
      column(({ nonce }) => nonce),
      column(({ item }) => item.id),
      column((row) => row.seq),
      column(({ entity }) => entity),
      items.bytes,
      column(({ message }) => message.domain),
      column(({ message }) => message.publicKey),
      seq,
      last,
      items.starts,
      items.lengths,
    ];
    await pool.query({ name: 'insert', text: INSERT, values });
    return column(({ item }) => item);
  });
}
