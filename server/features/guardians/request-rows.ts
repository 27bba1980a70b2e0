import type { ClientBase } from 'pg';
import { DAY_MS } from '../../../protocol/days.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { personRows } from '../../../protocol/entities/recovery.ts';
import { isEligible, REQUEST_MS } from '../../../protocol/entities/social-recovery.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { STORES } from '../../entities/stores.ts';
import { runAll } from '../../platform/db/statement.ts';
import type { Requester } from './requester.ts';

export interface NewRequest extends Requester {
  readonly requestId: string;
  readonly beoId: string;
  /** Hex. */
  readonly newPublicKey: string;
  readonly openedAt: Instant;
  /** Whether the new key signed the request. */
  readonly isSigned: boolean;
}

export interface NewLink {
  readonly token: string;
  readonly tokenHash: Buffer;
  readonly guardianId: GuardianId;
  /** Hex. */
  readonly guardianKey: string;
  readonly role: GuardianRole;
  /** Whether the guardian was removed and is still eligible. */
  readonly former: boolean;
}

export async function saveRequest(client: ClientBase, request: NewRequest, links: readonly NewLink[]): Promise<void> {
  const { requestId, beoId, newPublicKey, openedAt, isSigned, requester, network } = request;
  await client.query(
    `INSERT INTO recovery_requests (id, beo_id, new_public_key, opened_at, is_signed, requester, network)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [requestId, beoId, newPublicKey, openedAt, isSigned, requester, network],
  );
  await client.query(
    `INSERT INTO recovery_links (token_hash, request_id, guardian_id, guardian_key, role)
     SELECT token_hash, $1, guardian_id, guardian_key, role
     FROM unnest($2::bytea[], $3::uuid[], $4::text[], $5::text[]) AS l (token_hash, guardian_id, guardian_key, role)`,
    [
      requestId,
      links.map(({ tokenHash }) => tokenHash),
      links.map(({ guardianId }) => guardianId),
      links.map(({ guardianKey }) => guardianKey),
      links.map(({ role }) => role),
    ],
  );
}

/** The most open requests of an identity, signed and unsigned counted apart; confirmed requests are not counted. */
const MAX_OPEN_REQUESTS = 1_000;

/**
 * Deletes requests beyond the maximum. Expired requests go first; then the oldest of the address with the most open
 * ones, and on a tie the one whose network has the most. Confirmed requests stay, and cancelled ones, which count. One that is being
 * confirmed is locked. Protocol §3.
 */
export async function dropExcessRequests(client: ClientBase, beo: Beo, isSigned: boolean, now: number): Promise<void> {
  const { requests, recoveredAt } = beo.recovery;
  const endedBefore = Math.max(now - REQUEST_MS, recoveredAt === null ? 0 : Date.parse(recoveredAt));
  await client.query(
    `WITH room AS (
       SELECT id, opened_at, is_over,
         row_number() OVER (PARTITION BY is_over, requester ORDER BY opened_at DESC, id) AS place,
         count(*) OVER (PARTITION BY is_over, network) AS neighbours
       FROM (SELECT *, opened_at <= $4 AS is_over FROM recovery_requests
             WHERE beo_id = $1 AND is_signed = $2 AND cancelled_at IS NULL AND id <> ALL($3::uuid[])) AS unconfirmed),
     dropped AS (
       SELECT id FROM recovery_requests WHERE id IN (
         SELECT id FROM room ORDER BY is_over DESC, place DESC, neighbours DESC, opened_at, id
         LIMIT (SELECT greatest(count(*) - $5, 0) FROM room)) FOR UPDATE SKIP LOCKED),
     forgotten AS (DELETE FROM vault_rows WHERE id IN
                    (SELECT 'recovery:' || link.request_id || ':' || link.guardian_id
                     FROM recovery_links link JOIN dropped ON dropped.id = link.request_id))
     DELETE FROM recovery_requests WHERE id IN (SELECT id FROM dropped)`,
    [beo.id, isSigned, requests.map(({ requestId }) => requestId), new Date(endedBefore), MAX_OPEN_REQUESTS],
  );
}

/** How long an expired link is reported as expired, before it is unknown. */
export const KEPT_MS = 30 * DAY_MS;

/**
 * Deletes expired links: their encrypted copies at once, the rest after a month.
 * @param since milliseconds since 1970: the time of the previous call.
 */
export async function deleteExpiredLinks(client: ClientBase, now: number, since: number): Promise<void> {
  const old = new Date(now - KEPT_MS);
  const expiredRequests = [new Date(since - REQUEST_MS), new Date(now - REQUEST_MS)];
  await Promise.all([
    runAll(client, [
      {
        text: `DELETE FROM vault_rows WHERE id IN
          (SELECT 'invitation:' || id FROM invitations WHERE expires_at >= $1 AND expires_at < $2)`,
        values: [new Date(since), new Date(now)],
      },
      {
        text: `DELETE FROM vault_rows WHERE id IN
          (SELECT 'recovery:' || request.id || ':' || link.guardian_id
           FROM recovery_requests request JOIN recovery_links link ON link.request_id = request.id
           WHERE request.opened_at >= $1 AND request.opened_at < $2)`,
        values: expiredRequests,
      },
      // The requesters' hashes: of a request once it expires, of a mailing once it no longer counts.
      {
        name: 'clear-requesters',
        text: `UPDATE recovery_requests SET requester = NULL, network = NULL
          WHERE opened_at >= $1 AND opened_at < $2 AND requester IS NOT NULL`,
        values: expiredRequests,
      },
      {
        name: 'delete-recovery-mailings',
        text: 'DELETE FROM recovery_mailings WHERE mailed_at < $1',
        values: [new Date(now - DAY_MS)],
      },
      { name: 'delete-requests', text: 'DELETE FROM recovery_requests WHERE opened_at < $1', values: [old] },
      { name: 'delete-invitations', text: 'DELETE FROM invitations WHERE expires_at < $1', values: [old] },
      { name: 'delete-destroyed-links', text: 'DELETE FROM destroyed_links WHERE destroyed_at < $1', values: [old] },
    ]),
    deleteExpiredGuardianRows(client, now),
  ]);
}

/** Deletes names and contacts of removed guardians who are no longer eligible. */
async function deleteExpiredGuardianRows(client: ClientBase, now: number): Promise<void> {
  const { columns, fromRow } = STORES.BEO;
  const { rows } = await client.query<Row & { row_id: string }>(
    `DELETE FROM vault_lapses lapse USING beos e WHERE lapse.at <= $1 AND e.id = lapse.owner_id
     RETURNING lapse.row_id, e.id, ${columns.map((column) => `e.${column}`).join(', ')}`,
    [new Date(now)],
  );
  const obsolete = rows.filter((row) => {
    const { recovery } = fromRow(row);
    return !recovery.guardians.some(
      (guardian) =>
        personRows(guardian.guardianId).includes(row.row_id) &&
        (guardian.status !== 'REMOVED' || isEligible(recovery, guardian, now)),
    );
  });
  if (obsolete.length === 0) return;
  await client.query('DELETE FROM vault_rows WHERE id = ANY($1::text[])', [obsolete.map(({ row_id }) => row_id)]);
}
