import { hash, type KeyObject, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { Pool } from 'pg';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import { encrypt } from '../../../server/features/vault/cipher.ts';
import { publicKeyObject } from '../../../server/platform/crypto/node-ed25519.ts';
import { randomSlice } from '../../../server/platform/crypto/random.ts';
import { byteRun } from '../../../server/platform/db/byte-run.ts';
import { type BareOperation, type Committed, createCommit, uuidOf } from './bare-commit.ts';
import { sendJson, serveBare, withBody } from './bare-server.ts';

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

interface SubmittedRecord {
  readonly id: string;
  readonly position: number;
  readonly biomarker: string;
  readonly collectedAt: string;
  readonly ciphertext: Buffer;
}

/** A verified and encrypted submission of one institution for one holder. */
interface Submission extends BareOperation {
  readonly consent: Consent;
  readonly salt: string;
  readonly vaultId: string;
  readonly message: Buffer;
  readonly access: Buffer;
  readonly records: readonly SubmittedRecord[];
}

const ROWS = `
  v AS (INSERT INTO vault_rows (id, owner_id, ciphertext)
        SELECT id, owner, ciphertext FROM unnest($11::text[], $12::uuid[], $13::bytea[]) AS v (id, owner, ciphertext)),
  a AS (INSERT INTO access_events (id, owner_id, at, ciphertext)
        SELECT gen_random_uuid(), owner, now(), ciphertext FROM unnest($12::uuid[], $14::bytea[]) AS a (owner, ciphertext)),
  t AS (UPDATE tokens SET submitted = submitted + more, seq = last
        FROM (SELECT id AS token, sum(count) AS more, max(seq) AS last
              FROM unnest($4::text[], $15::int[], $3::bigint[]) AS s (id, count, seq) GROUP BY 1) AS s
        WHERE tokens.id = s.token),
  r AS (INSERT INTO records (id, owner_id, ieo_id, token_id, biomarker, category, collected_at, submitted_at, status,
          transaction_id, seq, position, ciphertext)
        SELECT r.id, owner, ieo, token, biomarker, left(biomarker, 6), collected, now(), 'ACTIVE', e.id, seq, position,
          substring($17::bytea FROM start FOR length)
        FROM unnest($3::bigint[], $2::text[], $4::text[], $12::uuid[], $16::uuid[]) AS e (seq, id, token, owner, ieo)
          JOIN unnest($20::uuid[], $21::bigint[], $22::text[], $23::timestamptz[], $24::int[], $18::int[], $19::int[])
            AS r (id, seq, biomarker, collected, position, start, length) USING (seq))`;

function valuesOf(batch: readonly Committed<Submission>[]): unknown[] {
  const records = batch.flatMap(({ seq, operation }) => operation.records.map((record) => ({ seq, ...record })));
  const { bytes, starts, lengths } = byteRun(records.map(({ ciphertext }) => ciphertext));
  const ofEntry = <Value>(value: (submission: Submission) => Value): Value[] =>
    batch.map(({ operation }) => value(operation));
  return [
    ofEntry(({ vaultId }) => vaultId),
    ofEntry(({ consent }) => consent.holderId),
    ofEntry(({ message }) => message),
    ofEntry(({ access }) => access),
    ofEntry((submission) => submission.records.length),
    ofEntry(({ consent }) => consent.ieoId),
    ...[bytes, starts, lengths],
    records.map(({ id }) => id),
    records.map(({ seq }) => seq),
    records.map(({ biomarker }) => biomarker),
    records.map(({ collectedAt }) => collectedAt),
    records.map(({ position }) => position),
  ];
}

const SALT = 32;

// The minimum work for a submission: node:http, JSON.parse, native verification, for each record RFC 8785, two SHA-256 and
// AES-256-GCM, item signing, one insert for a batch. The consents are loaded once, at the start.
serveBare((pool) => {
  const commit = createCommit(pool, ROWS, valuesOf);
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
      const submission = sealed(request, canonical, message, consent);
      const { id, bytes } = await commit(submission);
      sendJson(response, 201, {
        transactionId: id,
        receipt: bytes.toString('base64'),
        salt: submission.salt,
        status: 'SUCCESS',
        record_ids: submission.records.map((record) => record.id),
        arweave_txs: submission.records.map(() => id),
        timestamp: request.timestamp,
      });
    }),
  );
});

/** The data keys are new and are not stored: nothing reads what the bare loop writes. */
async function loadConsents(pool: Pool): Promise<Map<string, Consent>> {
  const { rows } = await pool.query<Pick<Consent, 'holderId' | 'ieoId' | 'signer'> & { id: string }>(
    `SELECT t.id, t.beo_id AS "holderId", t.grantee_id AS "ieoId", i.public_key AS signer
     FROM tokens t JOIN ieos i ON i.id = t.grantee_id`,
  );
  return new Map(
    rows.map(({ id, ...row }) => {
      const key = publicKeyObject(Buffer.from(row.signer, 'hex'));
      return [id, { ...row, key, dataKey: randomSlice(32) }];
    }),
  );
}

/** With the members in the order of RFC 8785. */
function canonicalMessage(request: SubmitRequest, canonical: readonly string[]): string {
  const { consentToken, nonce, targetBeo, timestamp } = request;
  const [token, number, holder, time] = [consentToken, nonce, targetBeo, timestamp].map((text) => JSON.stringify(text));
  const records = canonical.join(',');
  return `{"consentToken":${token},"function":"submitRecords","nonce":${number},"records":[${records}],"targetBeo":${holder},"timestamp":${time}}`;
}

function sealed(request: SubmitRequest, canonical: readonly string[], message: string, consent: Consent): Submission {
  const { signature, nonce, timestamp, targetBeo, consentToken } = request;
  const { dataKey, holderId, ieoId, signer } = consent;
  const encrypted = (about: string, text: string): Buffer => encrypt(dataKey, about, Buffer.from(text));
  const commitments: string[] = [];
  const records = canonical.map((text, position): SubmittedRecord => {
    const bytes = Buffer.from(text);
    const salt = randomSlice(SALT);
    commitments.push(hash('sha256', Buffer.concat([salt, bytes])));
    const id = uuidOf(`${signature}:record:${position}`);
    const content = `{"dataHash":"${hash('sha256', bytes)}","salt":"${salt.toString('hex')}","submitted":${text}}`;
    const { biomarker, collected_at } = request.records[position] as SubmitRequest['records'][number];
    return { id, position, biomarker, collectedAt: collected_at, ciphertext: encrypted(`record:${id}`, content) };
  });

  const salt = randomSlice(SALT);
  const digest = hash('sha256', Buffer.concat([salt, Buffer.from(signature, 'base64'), Buffer.from(message)]));
  const ids = records.map(({ id }) => id);
  const stored = { targetBeo, consentToken, nonce, timestamp, records: ids };
  const access = { kind: 'submit', token_id: consentToken, grantee_id: ieoId, grantee_domain: '', records: ids.length };
  return {
    consent,
    function: 'submitRecords',
    entityId: consentToken,
    nonceHash: hash('sha256', `${signer}:${nonce}`, 'buffer'),
    entry: {
      ...{ sealed: digest, signer, assigned: { holder: holderId } },
      public: { commitments, consentToken, targetBeo, timestamp },
    },
    salt: salt.toString('hex'),
    vaultId: `sealed:${digest}`,
    message: encrypted(`sealed:${digest}`, JSON.stringify({ salt: salt.toString('hex'), signature, message: stored })),
    access: encrypted('access', JSON.stringify(access)),
    records,
  };
}
