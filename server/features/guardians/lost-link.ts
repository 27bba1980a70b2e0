import type { Pool } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import { available } from '../../platform/db/pool.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { Link } from '../../write/services.ts';
import { isOfEarlierEpoch, linkHash } from './link-tokens.ts';

/** Why a link is unknown: its identity was destroyed, it was made before a restore, or it never existed. */
export type LostLink = 'destroyed' | 'restored' | 'unknown';

export async function lossReason(db: Pick<Pool, 'query'>, { kind, token }: Link, epoch: number): Promise<LostLink> {
  const hash = linkHash(token);
  if (!hash) return 'unknown';
  const { rowCount } = await available(() =>
    db.query({
      name: 'find-destroyed-link',
      text: 'SELECT FROM destroyed_links WHERE token_hash = $1 AND kind = $2',
      values: [hash, kind],
    }),
  );
  if (rowCount) return 'destroyed';
  return isOfEarlierEpoch(token, epoch) ? 'restored' : 'unknown';
}

export function lostLinkRefusal(why: LostLink): ProtocolError {
  switch (why) {
    case 'destroyed':
      return refusal('LINK_EXPIRED', 'The identity was destroyed, and this link ended with it.', {
        reason: 'DESTROYED',
      });
    case 'restored':
      return refusal('LINK_EXPIRED', 'The service was restored after this link was made; ask for a new one.', {
        reason: 'RESTORED',
      });
    case 'unknown':
      return refusal('LINK_NOT_FOUND');
  }
}

/**
 * Keeps only the hashes of a destroyed identity's links: neither the identity nor the guardian can be read from them.
 */
export const keepDestroyedLinks = (ownerIds: readonly string[], at: Instant): Statement => ({
  name: 'keep-destroyed-links',
  text: `INSERT INTO destroyed_links (token_hash, kind, destroyed_at)
         SELECT token_hash, 'invitation', $2::timestamptz FROM invitations WHERE beo_id = ANY($1::uuid[])
         UNION ALL
         SELECT link.token_hash, 'recovery', $2::timestamptz
         FROM recovery_links link JOIN recovery_requests request ON request.id = link.request_id
         WHERE request.beo_id = ANY($1::uuid[])
         ON CONFLICT DO NOTHING`,
  values: [ownerIds, at],
});
