import type { Pool } from 'pg';
import { THRESHOLD } from '../../../protocol/entities/guardian.ts';
import {
  confirmationsOf,
  eligibleGuardians,
  requestEnds,
  requestProblem,
} from '../../../protocol/entities/social-recovery.ts';
import type { Readers } from '../../entities/readers.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { findConfirmation } from './find-link.ts';
import type { Links } from './follow-link.ts';
import type { ConfirmationState } from './link-state.ts';

interface Parts {
  readonly pool: Pool;
  readonly readers: Readers;
  readonly clock: Clock;
  readonly links: Pick<Links, 'lossReason'>;
}

/** Reads the state of a guardian's confirmation. Must not change anything: link scanners open links. Protocol §4. */
export async function readConfirmation(
  { pool, readers, clock, links }: Parts,
  token: string,
): Promise<ConfirmationState> {
  const found = await findConfirmation(pool, token);
  if (!found) return { state: await links.lossReason({ kind: 'recovery', token }) };
  const beo = await readers.BEO.entity(found.beoId, 'beoId');
  if (!beo || beo.domain === null) return { state: 'destroyed' };
  const { requestId, openedAt, guardianKey, newPublicKey, role } = found;
  const { domain: beo_domain, recovery } = beo;
  const now = clock.now();
  const problem = requestProblem(recovery, found, now);
  const cancelledAt = found.cancelledAt ?? problem?.details?.cancelled_at;
  if (typeof cancelledAt === 'string') return { state: 'cancelled', beo_domain, cancelled_at: cancelledAt };
  if (problem?.code === 'REQUEST_CLOSED') {
    return { state: 'closed', beo_domain, executed: beo.publicKey === newPublicKey };
  }
  if (problem) return { state: 'expired', beo_domain };
  const given = confirmationsOf(recovery, requestId);
  const progress = {
    beo_id: beo.id,
    beo_domain,
    role,
    guardian_key: guardianKey,
    confirmations: given.length,
    confirmations_needed: THRESHOLD,
    expires_at: requestEnds(openedAt),
  };
  if (given.some(({ publicKey }) => publicKey === guardianKey)) return { state: 'confirmed', ...progress };
  const isEligible = eligibleGuardians(recovery, now).some(({ publicKey }) => publicKey === guardianKey);
  if (!isEligible) return { state: 'superseded', beo_domain };
  return {
    state: 'open',
    request_id: requestId,
    new_public_key: newPublicKey,
    ...progress,
  };
}
