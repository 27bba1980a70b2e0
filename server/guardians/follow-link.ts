import type { Pool } from 'pg';
import type { Links } from '../write/registry.ts';
import { findConfirmation, findInvitation } from './find-link.ts';
import { lostLinkRefusal, whyLost } from './lost-link.ts';
import { newLinkToken } from './tokens.ts';

/**
 * The links that guardians are sent, for those who take their requests. What a link is still worth, the transition decides.
 * @param epoch of the ledger; it does not change while a service runs.
 */
export const createLinks = (pool: Pool, epoch: number): Links => ({
  async follow(link) {
    const { kind, token } = link;
    const followed = kind === 'invitation' ? await invitation(pool, token) : await confirmation(pool, token);
    if (!followed) throw lostLinkRefusal(await whyLost(pool, link, epoch));
    return followed;
  },
  whyLost: (link) => whyLost(pool, link, epoch),
  newToken: () => newLinkToken(epoch),
});

async function invitation(pool: Pool, token: string) {
  const found = await findInvitation(pool, token);
  if (!found) return null;
  const { beoId, invitationId } = found;
  return { beoId, fields: { invitationId }, signer: null, assigned: {} };
}

async function confirmation(pool: Pool, token: string) {
  const found = await findConfirmation(pool, token);
  if (!found) return null;
  const { beoId, requestId, newPublicKey, guardianKey, openedAt } = found;
  return { beoId, fields: { requestId, newPublicKey }, signer: guardianKey, assigned: { opened_at: openedAt } };
}
