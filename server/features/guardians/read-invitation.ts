import type { Pool } from 'pg';
import { invitationEnds } from '../../../protocol/entities/guardian.ts';
import { invitationProblem } from '../../../protocol/entities/invitation.ts';
import type { Readers } from '../../entities/readers.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { findInvitation } from './find-link.ts';
import type { Links } from './follow-link.ts';
import type { InvitationState } from './link-state.ts';

interface Parts {
  readonly pool: Pool;
  readonly readers: Readers;
  readonly clock: Clock;
  readonly links: Pick<Links, 'lossReason'>;
}

/** Reads the state of an invitation. Must not change anything: link scanners open links. Protocol §4. */
export async function readInvitation({ pool, readers, clock, links }: Parts, token: string): Promise<InvitationState> {
  const found = await findInvitation(pool, token);
  if (!found) return { state: await links.lossReason({ kind: 'invitation', token }) };
  const beo = await readers.BEO.entity(found.beoId, 'beoId');
  if (!beo || beo.domain === null) return { state: 'destroyed' };
  const guardian = beo.recovery.guardians.find(({ invitationId }) => invitationId === found.invitationId);
  const named = { beo_id: beo.id, beo_domain: beo.domain };
  const problem = invitationProblem(guardian, clock.now());
  if (problem?.code === 'LINK_USED')
    return { state: 'used', ...named, role: guardian?.role ?? null, public_key: guardian?.publicKey ?? null };
  if (problem?.details?.reason === 'SUPERSEDED' || !guardian) return { state: 'superseded' };
  if (problem) return { state: 'expired', beo_domain: beo.domain };
  const expires_at = invitationEnds(guardian.addedAt);
  if (beo.status === 'LOCKED') return { state: 'locked', beo_domain: beo.domain, expires_at };
  const { invitationId: invitation_id, role, publicKey: bound_key } = guardian;
  return { state: 'open', invitation_id, ...named, role, expires_at, bound_key };
}
