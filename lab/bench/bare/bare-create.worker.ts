import { hash, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { publicKeyObject } from '../../../server/platform/crypto/node-ed25519.ts';
import { type BareOperation, createCommit, uuidOf } from './bare-commit.ts';
import { sendJson, serveBare, withBody } from './bare-server.ts';

interface CreateRequest {
  readonly domain: string;
  readonly publicKey: string;
  readonly recovery: null;
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
}

interface Creation extends BareOperation {
  readonly request: CreateRequest;
}

const ROWS = `
  m AS (INSERT INTO names (id, holder_kind, holder_id, transaction_id, seq)
        SELECT domain, 'BEO', entity::uuid, id, seq
        FROM unnest($11::text[], $4::text[], $2::text[], $3::bigint[]) AS m (domain, entity, id, seq)),
  b AS (INSERT INTO beos (id, domain, public_key, key_version, status, created_at, updated_at, recovery, transaction_id, seq)
        SELECT entity::uuid, domain, key, 1, 'ACTIVE', now(), now(), '{"enabled":false,"guardians":[]}', id, seq
        FROM unnest($4::text[], $11::text[], $12::text[], $2::text[], $3::bigint[]) AS b (entity, domain, key, id, seq))`;

// The minimum work for a createBEO: node:http, JSON.parse, native verification, item signing, one insert for a batch.
serveBare((pool) => {
  const commit = createCommit<Creation>(pool, ROWS, (batch) => [
    batch.map(({ operation }) => operation.request.domain),
    batch.map(({ operation }) => operation.request.publicKey),
  ]);
  return createServer(
    withBody(async (body, response) => {
      const request = JSON.parse(body.toString()) as CreateRequest;
      if (!(await isSigned(request))) return sendJson(response, 401, { error: 'The signature is wrong.' });
      const { signature, ...message } = request;
      const { id, bytes } = await commit({
        request,
        function: 'createBEO',
        entityId: uuidOf(signature),
        nonceHash: hash('sha256', message.publicKey + message.nonce, 'buffer'),
        entry: { signer: message.publicKey, signature, message },
      });
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
