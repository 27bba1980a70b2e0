import type { Pool } from 'pg';
import { isReferenceTo } from '../../../protocol/apply.ts';
import type { Entity } from '../../../protocol/entities/entities.ts';
import type { Intent } from '../../../protocol/entities/intents.ts';
import { type ErrorCode, refusal } from '../../../protocol/errors.ts';
import { requireTokenUse, type TokenUse } from '../../../protocol/records/token-use.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import {
  type LedgerRules,
  type RequestForm,
  readSignedRequest,
  type SignedRequest,
} from '../../../protocol/signing/message.ts';
import { timestampProblem } from '../../../protocol/signing/timestamp-problem.ts';
import type { Readers } from '../../entities/readers.ts';
import { verifyRequest } from '../../entities/signed-read.ts';
import { spendNonce } from '../../entities/spend-nonce.ts';
import type { SignatureChecks } from '../../platform/crypto/signature-checks.ts';
import type { Clock } from '../../platform/db/clock.ts';

export interface ExchangeParts extends LedgerRules {
  readonly pool: Pool;
  /** For pages of records. */
  readonly recordPool: Pool;
  readonly readers: Readers;
  readonly signatures: SignatureChecks;
  readonly clock: Clock;
}

/** The error codes of a use of a token, besides those of the signature. */
export const TOKEN_USE_ERRORS = [
  'CONSENT_REQUIRED',
  'TOKEN_NOT_FOUND',
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'NOT_TOKEN_OWNER',
  'BEO_NOT_FOUND',
  'BEO_DESTROYED',
  'BEO_LOCKED',
  'IEO_DESTROYED',
  'IEO_LOCKED',
  'IEO_NOT_ACTIVE',
  'IEO_NOT_FOUND',
  'INTENT_NOT_AUTHORIZED',
  'INTENT_NOT_ALLOWED_FOR_TYPE',
  'INTEGRITY_FAILED',
] as const satisfies readonly ErrorCode[];

export interface AuthorizedRead extends TokenUse {
  readonly fields: SignedRequest['fields'];
  /** The time of the request in ms since 1970. */
  readonly now: number;
}

/**
 * Authorizes a read: a token, and a fresh signature by its grantee or its holder, checked against the current state, in
 * the order of protocol §5.
 * @throws {ProtocolError} at the first problem
 */
export async function authorizeRead(
  parts: ExchangeParts,
  form: RequestForm,
  body: Json,
  intent: Intent,
): Promise<AuthorizedRead> {
  const { pool, readers, signatures, clock } = parts;
  const request = readSignedRequest(form, body, parts);
  const now = clock.now();
  const problem = timestampProblem(request.timestamp, now);
  if (problem) throw problem;
  const { targetBeo, consentToken } = request.fields;
  const token = await readers.TOKEN.entity(String(consentToken), 'consentToken');
  if (!token) throw refusal('TOKEN_NOT_FOUND');
  const holder = await readers.BEO.entity(token.beoId, 'targetBeo');
  if (!holder || holder.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  if (!(await isHolder(readers, String(targetBeo), holder))) throw refusal('NOT_TOKEN_OWNER');
  const grantee = token.grantee.kind === 'BEO' ? holder : await readers.IEO.entity(token.grantee.id, 'consentToken');
  if (!grantee || grantee.publicKey === null) throw refusal('IEO_DESTROYED');
  const by = await signerOf(signatures, request, grantee.publicKey, holder.publicKey);
  const key = by === 'holder' && holder.publicKey ? holder.publicKey : grantee.publicKey;
  await spendNonce(pool, key, request, now);
  const read = new Map<string, Entity>(
    [token, holder, grantee].map((entity) => [`${entity.kind} ${entity.id}`, entity]),
  );
  const entities = { get: (kind: string, id: string) => read.get(`${kind} ${id}`) as never };
  const use = requireTokenUse(entities, { token: token.id }, intent, new Date(now).toISOString(), by);
  return { ...use, fields: request.fields, now };
}

/** Whether the grantee or the holder signed; the holder may use any of their own tokens. @throws INVALID_SIGNATURE */
async function signerOf(
  signatures: SignatureChecks,
  request: SignedRequest,
  grantee: string,
  holder: string | null,
): Promise<'grantee' | 'holder'> {
  if (holder === null || holder === grantee) {
    await verifyRequest(signatures, request, grantee, 'grantee');
    return 'grantee';
  }
  if (await signatures.isSigned(request.message, request.signature, grantee)) return 'grantee';
  await verifyRequest(signatures, request, holder, 'grantee');
  return 'holder';
}

const isHolder = async (readers: Readers, reference: string, holder: Entity): Promise<boolean> =>
  isReferenceTo(reference, holder) || (await readers.BEO.entity(reference, 'targetBeo'))?.id === holder.id;
