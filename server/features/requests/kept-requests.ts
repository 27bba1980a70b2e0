import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import {
  consentRequestText,
  isConsentRequestId,
  MAX_REQUEST_DAYS,
  readConsentRequest,
} from '../../../protocol/consent-request.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { consentRequestState, keptConsentRequest } from '../../../protocol/read-responses.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { ASK_CONSENT } from '../../../protocol/signing/consent-requests.ts';
import { type ChargeKey, institutionOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import { ieos } from '../../entities/stores/ieos.ts';
import { available } from '../../platform/db/pool.ts';
import type { Statement } from '../../platform/db/statement.ts';

/** Long requests of institutions for a consent, which no QR code holds. Protocol §11. */

/** Requests of one institution at a time. */
const MAX_KEPT = 1_000;
/** Requests of all uncertified institutions, which anybody can create: at most 400 MB. */
const MAX_OF_UNCERTIFIED = 50_000;

/** Keeps a request until it ends. The same request is kept once. @throws {ProtocolError} IEO_LOCKED, IEO_NOT_ACTIVE, STORAGE_LIMIT_REACHED */
export async function keepConsentRequest(
  parts: SignedReadParts,
  body: Json,
  charge: ChargeKey | null,
): Promise<z.output<typeof keptConsentRequest>> {
  const { ieo, request, now } = await signedRead(parts, ASK_CONSENT, body, institutionOf(parts), charge);
  if (ieo.status === 'LOCKED') throw refusal('IEO_LOCKED');
  if (ieo.status !== 'ACTIVE') throw refusal('IEO_NOT_ACTIVE');
  const asked = readConsentRequest(consentRequestText(request.message, request.signature));
  if (!asked || Date.parse(asked.validUntil) <= now) {
    const issue = {
      path: 'validUntil',
      message: `must be in the next ${MAX_REQUEST_DAYS} days; also sign the ledgerId`,
    };
    throw refusal('VALIDATION_FAILED', `The field validUntil ${issue.message}.`, { issues: [issue] });
  }
  const { rowCount } = await available(() =>
    parts.pool.query({
      name: 'keep-consent-request',
      text: `INSERT INTO consent_requests (id, ieo_id, valid_until, request)
             SELECT $1, id, $3::timestamptz, $4
             FROM (SELECT id, cert_level FROM ${ieos.table} WHERE id = $2 AND status = 'ACTIVE' FOR SHARE) AS asking
             WHERE (SELECT count(*) FROM consent_requests WHERE ieo_id = $2) < ${MAX_KEPT} AND (cert_level <> 'UNCERTIFIED' OR
               (SELECT count(*) FROM consent_requests r JOIN ${ieos.table} i ON i.id = r.ieo_id WHERE i.cert_level = 'UNCERTIFIED')
                 < ${MAX_OF_UNCERTIFIED})`,
      values: [asked.id, ieo.id, asked.validUntil, asked.text],
    }),
  );
  if (rowCount === 0) throw refusal('STORAGE_LIMIT_REACHED');
  return { request_id: asked.id, valid_until: asked.validUntil };
}

/** What the service has about a request: its text if it is kept, and whether somebody has accepted one for one person. @throws LINK_NOT_FOUND for what is no id */
export async function readRequestState(
  { pool, clock }: Pick<SignedReadParts, 'pool' | 'clock'>,
  id: string,
): Promise<z.output<typeof consentRequestState>> {
  if (!isConsentRequestId(id)) throw refusal('LINK_NOT_FOUND');
  const { rows } = await available(() =>
    pool.query<{ request: string | null; used: boolean }>({
      name: 'read-consent-request',
      text: `SELECT (SELECT request FROM consent_requests WHERE id = $1 AND valid_until > $2::timestamptz) AS request,
               EXISTS (SELECT FROM nonces WHERE hash = $3) AS used`,
      values: [id, new Date(clock.now()), usedHash(id)],
    }),
  );
  return { request_id: id, request: rows[0]?.request ?? null, used: rows[0]?.used ?? false };
}

/** A request for one person is spent like a nonce, which is kept until the request ends. */
export const usedHash = (id: string): Buffer => hash('sha256', `askConsent:${id}`, 'buffer');

export const deleteRequestsOf = (ieoIds: readonly string[]): Statement => ({
  name: 'delete-consent-requests',
  text: 'DELETE FROM consent_requests WHERE ieo_id = ANY($1::uuid[])',
  values: [ieoIds],
});

/** Deletes the requests that have ended by `now` (ms). */
export const deleteEndedRequests = (client: Pick<Pool, 'query'>, now: number): Promise<unknown> =>
  client.query('DELETE FROM consent_requests WHERE valid_until < $1', [new Date(now)]);
