import { createCipheriv, hash, type KeyObject, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { Pool } from 'pg';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import { publicKeyObject } from '../../../server/platform/crypto/node-ed25519.ts';
import { sendJson, serveBare, withBody } from './bare-server.ts';
import { type Batch, type BatchRecord, createBatchCommit } from './commit-batches.ts';
import { uuidOf } from './signed-item.ts';

interface SubmitRequest {
  readonly targetBeo: string;
  readonly consentToken: string;
  readonly records: readonly (JsonObject & { readonly biomarker: string; readonly collected_at: string })[];
  readonly nonce: string;
  readonly timestamp: string;
  readonly signature: string;
}

interface Consent {
  readonly holderId: string;
  readonly ieoId: string;
  readonly signer: string;
  readonly key: KeyObject;
  readonly dataKey: Buffer;
}

const SALT = 32;
const IV = 12;

// The minimum work for a submission: node:http, JSON.parse, native verification, for each record RFC 8785, two SHA-256 and
// AES-256-GCM, item signing, one insert for a batch. The consents are loaded once, at the start.
serveBare((pool) => {
  const commit = createBatchCommit(pool);
  const consents = loadConsents(pool);

  return createServer(
    withBody(async (body, response) => {
      const request = JSON.parse(body.toString()) as SubmitRequest;
      const consent = (await consents).get(request.consentToken);
      const canonical = request.records.map(canonicalJson);
      const message = canonicalMessage(request, canonical);
      if (!consent || !verify(null, Buffer.from(message), consent.key, Buffer.from(request.signature, 'base64'))) {
        return sendJson(response, 401, { error: 'The signature is wrong.' });
      }
      const batch = sealed(request, canonical, message, consent);
      const { id, bytes } = await commit(batch);
      sendJson(response, 201, {
        transactionId: id,
        receipt: bytes.toString('base64'),
        salt: batch.salt,
        status: 'SUCCESS',
        record_ids: batch.records.map((record) => record.id),
        arweave_txs: batch.records.map(() => id),
        timestamp: request.timestamp,
      });
    }),
  );
});

/** The data keys are new and are not stored: nothing reads what the bare loop writes. */
async function loadConsents(pool: Pool): Promise<Map<string, Consent>> {
  const { rows } = await pool.query<{ id: string; beo_id: string; grantee_id: string; public_key: string }>(
    'SELECT t.id, t.beo_id, t.grantee_id, i.public_key FROM tokens t JOIN ieos i ON i.id = t.grantee_id',
  );
  const dataKeys = new Map(rows.map(({ beo_id }) => [beo_id, randomBytes(32)]));
  return new Map(
    rows.map(({ id, beo_id, grantee_id, public_key }) => [
      id,
      {
        holderId: beo_id,
        ieoId: grantee_id,
        signer: public_key,
        key: publicKeyObject(Buffer.from(public_key, 'hex')),
        dataKey: dataKeys.get(beo_id) as Buffer,
      },
    ]),
  );
}

/** Writes the members in the order of RFC 8785. */
function canonicalMessage(
  { consentToken, nonce, targetBeo, timestamp }: SubmitRequest,
  canonical: readonly string[],
): string {
  const before = `{"consentToken":${JSON.stringify(consentToken)},"function":"submitRecords","nonce":${JSON.stringify(nonce)}`;
  const after = `"targetBeo":${JSON.stringify(targetBeo)},"timestamp":${JSON.stringify(timestamp)}}`;
  return `${before},"records":[${canonical.join(',')}],${after}`;
}

function sealed(request: SubmitRequest, canonical: readonly string[], message: string, consent: Consent): Batch {
  const { signature, nonce, timestamp, targetBeo, consentToken } = request;
  const { dataKey, holderId, ieoId, signer } = consent;
  const random = randomBytes((canonical.length + 1) * (SALT + IV) + IV);
  let used = 0;
  const take = (length: number): Buffer => {
    used += length;
    return random.subarray(used - length, used);
  };
  const encrypted = (context: string, text: string): Buffer => {
    const iv = take(IV);
    const cipher = createCipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(context));
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  };

  const commitments: string[] = [];
  const records = canonical.map((text, position): BatchRecord => {
    const bytes = Buffer.from(text);
    const salt = take(SALT);
    commitments.push(hash('sha256', Buffer.concat([salt, bytes])));
    const id = uuidOf(`${signature}:record:${position}`);
    const content = `{"dataHash":"${hash('sha256', bytes)}","salt":"${salt.toString('hex')}","submitted":${text}}`;
    const { biomarker, collected_at } = request.records[position] as SubmitRequest['records'][number];
    return { id, position, biomarker, collectedAt: collected_at, ciphertext: encrypted(`record:${id}`, content) };
  });

  const salt = take(SALT);
  const digest = hash('sha256', Buffer.concat([salt, Buffer.from(signature, 'base64'), Buffer.from(message)]));
  const ids = records.map(({ id }) => id);
  const stored = { targetBeo, consentToken, nonce, timestamp, records: ids };
  const access = { kind: 'submit', token_id: consentToken, grantee_id: ieoId, grantee_domain: '', records: ids.length };
  return {
    holderId,
    ieoId,
    tokenId: consentToken,
    nonceHash: hash('sha256', `${signer}:${nonce}`, 'buffer'),
    salt: salt.toString('hex'),
    sealed: digest,
    entry: { signer, public: { commitments, consentToken, targetBeo, timestamp }, assigned: { holder: holderId } },
    message: encrypted(`sealed:${digest}`, JSON.stringify({ salt: salt.toString('hex'), signature, message: stored })),
    access: encrypted('access', JSON.stringify(access)),
    records,
  };
}
