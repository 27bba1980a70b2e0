import type { Pool } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import type { Links } from '../registry/registry.ts';
import { findConfirmation, findInvitation } from './find-link.ts';

/** The links that guardians are sent, for those who take their requests. What a link is still worth, the transition says. */
export const createLinks = (pool: Pool): Links => ({
  async follow({ kind, token }) {
    const followed = kind === 'invitation' ? await invitation(pool, token) : await confirmation(pool, token);
    if (!followed) throw refusal('LINK_NOT_FOUND');
    return followed;
  },
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
