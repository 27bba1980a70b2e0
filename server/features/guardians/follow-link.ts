import type { Pool } from 'pg';
import type { Link, LinkFollower } from '../../write/services.ts';
import { findConfirmation, findInvitation } from './find-link.ts';
import { newLinkToken } from './link-tokens.ts';
import { type LostLink, lossReason, lostLinkRefusal } from './lost-link.ts';

export interface Links extends LinkFollower {
  /** Why a link is unknown. */
  lossReason(link: Link): Promise<LostLink>;
  /** Creates the secret of a new link. */
  newToken(): string;
}

/**
 * Guardians' links. Whether an invitation or a request is still open is decided by the transition.
 * @param epoch of the ledger; constant while a service runs.
 */
export const createLinks = (pool: Pool, epoch: number): Links => ({
  async follow(link) {
    const { kind, token } = link;
    const followed = kind === 'invitation' ? await invitation(pool, token) : await confirmation(pool, token);
    if (!followed) throw lostLinkRefusal(await lossReason(pool, link, epoch));
    return followed;
  },
  lossReason: (link) => lossReason(pool, link, epoch),
  newToken: () => newLinkToken(epoch),
});

async function invitation(pool: Pool, token: string) {
  const found = await findInvitation(pool, token);
  if (!found) return null;
  const { beoId, invitationId } = found;
  return { beoId, fields: { invitationId }, signer: null, assigned: {}, notBefore: null };
}

async function confirmation(pool: Pool, token: string) {
  const found = await findConfirmation(pool, token);
  if (!found) return null;
  const { beoId, requestId, newPublicKey, guardianKey, openedAt } = found;
  return {
    beoId,
    fields: { requestId, newPublicKey },
    signer: guardianKey,
    assigned: { opened_at: openedAt },
    notBefore: openedAt,
  };
}
