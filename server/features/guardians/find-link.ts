import type { Pool } from 'pg';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { available } from '../../platform/db/pool.ts';
import { linkHash } from './link-tokens.ts';

export interface FoundInvitation {
  readonly invitationId: string;
  readonly beoId: string;
  readonly role: GuardianRole;
}

export interface FoundConfirmation {
  readonly requestId: string;
  readonly beoId: string;
  readonly newPublicKey: string;
  readonly openedAt: Instant;
  /** When the holder closed it before a confirmation; null if it was not. */
  readonly cancelledAt: Instant | null;
  /** The key of the link's guardian, hex. */
  readonly guardianKey: string;
  readonly role: GuardianRole;
}

type Db = Pick<Pool, 'query'>;

/** The invitation of a link; null if unknown. Whether it is open depends on the identity. */
export async function findInvitation(db: Db, token: string): Promise<FoundInvitation | null> {
  return find(db, token, {
    name: 'find-invitation',
    text: 'SELECT id AS "invitationId", beo_id AS "beoId", role FROM invitations WHERE token_hash = $1',
  });
}

/** The recovery request and the guardian of a link; null if unknown. */
export async function findConfirmation(db: Db, token: string): Promise<FoundConfirmation | null> {
  return find(db, token, {
    name: 'find-confirmation',
    text: `SELECT request.id AS "requestId", request.beo_id AS "beoId", request.new_public_key AS "newPublicKey",
             request.opened_at AS "openedAt", request.cancelled_at AS "cancelledAt", link.guardian_key AS "guardianKey", link.role
           FROM recovery_links link JOIN recovery_requests request ON request.id = link.request_id
           WHERE link.token_hash = $1`,
  });
}

async function find<Found>(db: Db, token: string, query: { name: string; text: string }): Promise<Found | null> {
  const hash = linkHash(token);
  if (!hash) return null;
  return available(async () => {
    const { rows } = await db.query({ ...query, values: [hash] });
    return (rows[0] as Found | undefined) ?? null;
  });
}
