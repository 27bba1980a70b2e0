import type { ClientBase, Pool } from 'pg';
import type { Beo } from '../../protocol/beo.ts';
import type { GuardianId, GuardianRole } from '../../protocol/ids.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { guardianRow } from '../../protocol/recovery.ts';
import { counts } from '../../protocol/social-recovery.ts';
import type { Row } from '../registry/stores/store.ts';
import { STORES } from '../registry/stores.ts';

export interface NewRequest {
  readonly requestId: string;
  readonly beoId: string;
  /** Hex. */
  readonly newPublicKey: string;
  readonly openedAt: Instant;
}

export interface NewLink {
  readonly token: string;
  readonly tokenHash: Buffer;
  readonly guardianId: GuardianId;
  /** Hex. */
  readonly guardianKey: string;
  readonly role: GuardianRole;
  /** Removed, and still counting. */
  readonly former: boolean;
}

export async function saveRequest(client: ClientBase, request: NewRequest, links: readonly NewLink[]): Promise<void> {
  await client.query('INSERT INTO recovery_requests (id, beo_id, new_public_key, opened_at) VALUES ($1, $2, $3, $4)', [
    request.requestId,
    request.beoId,
    request.newPublicKey,
    request.openedAt,
  ]);
  await client.query(
    `INSERT INTO recovery_links (token_hash, request_id, guardian_id, guardian_key, role)
     SELECT token_hash, $1, guardian_id, guardian_key, role
     FROM unnest($2::bytea[], $3::uuid[], $4::text[], $5::text[]) AS l (token_hash, guardian_id, guardian_key, role)`,
    [
      request.requestId,
      links.map(({ tokenHash }) => tokenHash),
      links.map(({ guardianId }) => guardianId),
      links.map(({ guardianKey }) => guardianKey),
      links.map(({ role }) => role),
    ],
  );
}

const MOST_OPEN = 1_000;

/** Beyond a thousand requests for one identity the oldest go that no guardian has confirmed. Protocol §3. */
export async function dropOverflow(client: ClientBase, beo: Beo): Promise<void> {
  await client.query(
    `WITH dropped AS (SELECT id FROM recovery_requests WHERE beo_id = $1 AND id <> ALL($2::uuid[])
                      ORDER BY opened_at DESC OFFSET $3),
       forgotten AS (DELETE FROM vault_rows WHERE id IN
                      (SELECT 'recovery:' || link.request_id || ':' || link.guardian_id
                       FROM recovery_links link JOIN dropped ON dropped.id = link.request_id))
     DELETE FROM recovery_requests WHERE id IN (SELECT id FROM dropped)`,
    [beo.id, beo.recovery.requests.map(({ requestId }) => requestId), MOST_OPEN],
  );
}

/** The identity as it is, held as it is until the end of the transaction; null where it was destroyed meanwhile. */
export async function holdBeo(client: ClientBase, beoId: string): Promise<Beo | null> {
  const { table, columns, fromRow } = STORES.BEO;
  const { rows } = await client.query({
    name: 'hold-beo',
    text: `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id = $1 FOR SHARE`,
    values: [beoId],
  });
  const beo = rows.map(fromRow)[0];
  return beo && beo.status !== 'DESTROYED' ? beo : null;
}

/** How long a link that ran out still says so, before it is unknown. */
const KEPT_MS = 30 * 86_400_000;
const OPEN_MS = 72 * 3_600_000;

/**
 * Links that have run out: their copies for mails at once, and after a month what is known of them.
 * @param since milliseconds since 1970: when this was done last.
 */
export async function forgetLinks(pool: Pool, since: number, now: number): Promise<void> {
  const old = new Date(now - KEPT_MS);
  await pool.query(
    `DELETE FROM vault_rows WHERE id IN
       (SELECT 'invitation:' || id FROM invitations WHERE expires_at >= $1 AND expires_at < $2)`,
    [new Date(since), new Date(now)],
  );
  await pool.query(
    `DELETE FROM vault_rows WHERE id IN
       (SELECT 'recovery:' || request.id || ':' || link.guardian_id
        FROM recovery_requests request JOIN recovery_links link ON link.request_id = request.id
        WHERE request.opened_at >= $1 AND request.opened_at < $2)`,
    [new Date(since - OPEN_MS), new Date(now - OPEN_MS)],
  );
  await forgetLapsed(pool, now);
  await pool.query('DELETE FROM recovery_requests WHERE opened_at < $1', [old]);
  await pool.query('DELETE FROM invitations WHERE expires_at < $1', [old]);
}

/** Names and contacts of guardians who were removed, once they count no more. */
async function forgetLapsed(pool: Pool, now: number): Promise<void> {
  const { columns, fromRow } = STORES.BEO;
  const { rows } = await pool.query<Row & { row_id: string }>(
    `DELETE FROM vault_lapses lapse USING beos e WHERE lapse.at <= $1 AND e.id = lapse.owner_id
     RETURNING lapse.row_id, e.id, ${columns.map((column) => `e.${column}`).join(', ')}`,
    [new Date(now)],
  );
  const useless = rows.filter((row) => {
    const { recovery } = fromRow(row);
    return !recovery.guardians.some(
      (guardian) =>
        guardianRow(guardian.guardianId) === row.row_id &&
        (guardian.status !== 'REMOVED' || counts(recovery, guardian, now)),
    );
  });
  if (useless.length === 0) return;
  await pool.query('DELETE FROM vault_rows WHERE id = ANY($1::text[])', [useless.map(({ row_id }) => row_id)]);
}
