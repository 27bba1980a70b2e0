import type { Pool } from 'pg';
import type { z } from 'zod';
import { type Ieo, ieoView } from '../../../protocol/entities/ieo.ts';
import { intentOf } from '../../../protocol/entities/intents.ts';
import type { Instant, LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { certificationRequestPage, ownCertificationRequest } from '../../../protocol/read-responses.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import {
  askedCertification,
  DECLINE_CERTIFICATION_REQUEST,
  READ_CERTIFICATION_REQUEST,
  REQUEST_CERTIFICATION,
  WITHDRAW_CERTIFICATION_REQUEST,
} from '../../../protocol/signing/certification-requests.ts';
import { readUnsignedRequest } from '../../../protocol/signing/message.ts';
import { statusOf } from '../../entities/readers.ts';
import { type ChargeKey, institutionOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { ieos } from '../../entities/stores/ieos.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import type { Statement } from '../../platform/db/statement.ts';

/**
 * What institutions ask the institute for: certifications. A request is the message that the institution signed, kept by the service
 * and not on the ledger; each institution has at most one. Protocol §11.
 */

type OwnRequest = z.output<typeof ownCertificationRequest>;

interface Stored {
  readonly message: string;
  readonly requested_at: Instant;
  readonly answered_at: Instant | null;
  readonly reason: string | null;
}

/** Asks for a certification, in place of an earlier request. @throws {ProtocolError} IEO_LOCKED, IEO_NOT_ACTIVE */
export async function requestCertification(
  parts: SignedReadParts,
  body: Json,
  charge: ChargeKey | null,
): Promise<OwnRequest> {
  const { ieo, request, now } = await signedRead(parts, REQUEST_CERTIFICATION, body, institutionOf(parts), charge);
  requireActive(ieo);
  // With the institution's row locked, so that none is stored after its end or under a key that was replaced meanwhile.
  const { rows } = await available(() =>
    parts.pool.query<Stored>({
      name: 'save-certification-request',
      text: `INSERT INTO certification_requests (ieo_id, requested_at, message, signature, public_key)
             SELECT id, $2, $3, $4, $5 FROM (
               SELECT id FROM ${ieos.table} WHERE id = $1 AND status = 'ACTIVE' AND public_key = $5 FOR SHARE) AS asking
             ON CONFLICT (ieo_id) DO UPDATE SET requested_at = EXCLUDED.requested_at, message = EXCLUDED.message,
               signature = EXCLUDED.signature, public_key = EXCLUDED.public_key, answered_at = NULL, reason = NULL
             RETURNING message, requested_at, answered_at, reason`,
      values: [ieo.id, new Date(now).toISOString(), canonicalJson(request.message), request.signature, ieo.publicKey],
    }),
  );
  if (rows[0]) return own(ieo, rows[0]);
  // Another request was first: its effect is the reason.
  const { ieo: changed } = await institutionOf(parts)(request.fields);
  requireActive(changed);
  if (changed.publicKey !== ieo.publicKey) throw refusal('INVALID_SIGNATURE', undefined, { expected_key: 'IEO' });
  throw refusal('UNAVAILABLE', 'The institution changed at the same moment; send the request again.');
}

/** @throws {ProtocolError} IEO_LOCKED, IEO_NOT_ACTIVE */
function requireActive({ status }: Ieo): void {
  if (status === 'LOCKED') throw refusal('IEO_LOCKED');
  if (status !== 'ACTIVE') throw refusal('IEO_NOT_ACTIVE');
}

/** The institution's own request, in whatever status it is; an open one only while the key that signed it is current. */
export async function readCertificationRequest(parts: SignedReadParts, body: Json): Promise<OwnRequest> {
  const { ieo } = await signedRead(parts, READ_CERTIFICATION_REQUEST, body, institutionOf(parts));
  const { rows } = await available(() =>
    parts.pool.query<Stored>({
      name: 'read-certification-request',
      text: `SELECT message, requested_at, answered_at, reason FROM certification_requests
             WHERE ieo_id = $1 AND (answered_at IS NOT NULL OR public_key = $2)`,
      values: [ieo.id, ieo.publicKey],
    }),
  );
  return own(ieo, rows[0]);
}

/** Takes a request back, or puts an answered one away. @throws {ProtocolError} NOT_FOUND without one */
export async function withdrawCertificationRequest(
  parts: SignedReadParts,
  body: Json,
  charge: ChargeKey | null,
): Promise<OwnRequest> {
  const { ieo } = await signedRead(parts, WITHDRAW_CERTIFICATION_REQUEST, body, institutionOf(parts), charge);
  const { rowCount } = await available(() =>
    parts.pool.query('DELETE FROM certification_requests WHERE ieo_id = $1', [ieo.id]),
  );
  if (rowCount === 0) throw refusal('NOT_FOUND', 'This institution has no request for a certification.');
  return own(ieo, undefined);
}

const own = (ieo: Ieo, stored: Stored | undefined): OwnRequest => ({
  ieo_id: ieo.id,
  request: stored ? view(stored) : null,
});

function view({ message, requested_at, answered_at, reason }: Stored) {
  const { level, categories, intents, grounds } = askedCertification.parse(JSON.parse(message));
  const answer = reason === null ? ('ANSWERED' as const) : ('DECLINED' as const);
  return {
    level,
    categories: categories ?? [],
    intents: (intents ?? []).map(intentOf),
    grounds,
    requested_at,
    status: answered_at === null ? ('OPEN' as const) : answer,
    answered_at,
    reason,
  };
}

const SCOPE = 'certification requests';
const COLUMNS = ['id', ...ieos.columns].map((column) => `e.${column}`).join(', ');

interface ListParts {
  readonly listPool: Pool;
  readonly cursors: Cursors;
}

/** The open requests of active institutions under their current keys, oldest first. @throws VALIDATION_FAILED for a cursor of another list */
export async function listCertificationRequests(
  { listPool, cursors }: ListParts,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<z.output<typeof certificationRequestPage>> {
  const after = cursor === null ? [] : cursors.open(SCOPE, cursor);
  const { rows } = await available(() =>
    listPool.query<Row & Stored & { signature: string; asking_key: string; ledger_status: LedgerStatus }>({
      name: `certification-requests-${after.length > 0 ? 'after' : 'first'}`,
      text: `SELECT ${COLUMNS}, ${statusOf('e.seq')} AS ledger_status, r.requested_at, r.message, r.signature,
               r.public_key AS asking_key, r.answered_at, r.reason
             FROM certification_requests r JOIN ${ieos.table} e ON e.id = r.ieo_id
             WHERE r.answered_at IS NULL AND e.status = 'ACTIVE' AND r.public_key = e.public_key
               ${after.length > 0 ? 'AND (r.requested_at, r.ieo_id) > ($2::timestamptz, $3::uuid)' : ''}
             ORDER BY r.requested_at, r.ieo_id LIMIT $1`,
      values: [limit + 1, ...after],
    }),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    requests: page.map((row) => ({
      ...view(row),
      institution: ieoView(ieos.fromRow(row), row.ledger_status),
      message: row.message,
      signature: row.signature,
      public_key: row.asking_key,
    })),
    next_cursor: rows.length > limit && last ? cursors.seal(SCOPE, [last.requested_at, String(last.id)]) : null,
  };
}

/**
 * Declines the open request of an institution, with a reason that the institution reads.
 * @throws {ProtocolError} VALIDATION_FAILED, IEO_NOT_FOUND, NOT_FOUND if none is open
 */
export async function declineCertificationRequest(parts: SignedReadParts, body: Json): Promise<OwnRequest> {
  const { fields } = readUnsignedRequest(DECLINE_CERTIFICATION_REQUEST, body, parts.suffix);
  const ieo = await parts.readers.IEO.entity(String(fields.ieoId), 'ieoId');
  if (!ieo) throw refusal('IEO_NOT_FOUND');
  const { rows } = await available(() =>
    parts.pool.query<Stored>({
      name: 'decline-certification-request',
      text: `UPDATE certification_requests SET answered_at = $2, reason = $3
             WHERE ieo_id = $1 AND answered_at IS NULL AND requested_at = $4
             RETURNING message, requested_at, answered_at, reason`,
      values: [ieo.id, new Date(parts.clock.now()).toISOString(), fields.reason, fields.requestedAt],
    }),
  );
  if (!rows[0]) throw noneOpen();
  return own(ieo, rows[0]);
}

const noneOpen = () =>
  refusal(
    'NOT_FOUND',
    'This request is not open any more: it was replaced, withdrawn or answered. Read the list again.',
  );

/** Certifying these institutions answers their requests, also those that were declined before. */
export const answerCertificationRequests = (ieoIds: readonly string[], at: Instant): Statement => ({
  name: 'answer-certification-requests',
  text: 'UPDATE certification_requests SET answered_at = $2, reason = NULL WHERE ieo_id = ANY($1::uuid[])',
  values: [ieoIds, at],
});

export const deleteCertificationRequests = (ieoIds: readonly string[]): Statement => ({
  name: 'delete-certification-requests',
  text: 'DELETE FROM certification_requests WHERE ieo_id = ANY($1::uuid[])',
  values: [ieoIds],
});
