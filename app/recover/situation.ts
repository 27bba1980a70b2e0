import type { Beo, BeoView } from '../../protocol/entities/beo.ts';
import { isPresent, THRESHOLD } from '../../protocol/entities/guardian.ts';
import { activeRecoveryView, eligibleGuardians } from '../../protocol/entities/social-recovery.ts';

/** The members of an identity (protocol §3) that a recovery needs. */
export type Identity = Pick<BeoView, 'beo_id' | 'public_key' | 'status' | 'active_recovery'> & {
  readonly domain: string;
  readonly public_key: string;
};

/** Whether an identity can be recovered. */
export type Situation =
  | { readonly kind: 'malformed' | 'unknown' | 'unavailable' | 'destroyed' | 'institution' }
  /** Fewer than two guardians are eligible. `pending`: accepting an open invitation would add one. */
  | {
      readonly kind: 'tooFewGuardians';
      readonly identity: Identity;
      readonly guardians: number;
      readonly pending: boolean;
    }
  | { readonly kind: 'recoverable'; readonly identity: Identity; readonly guardians: number };

/** Whether an identity can be recovered at `now` (ms). */
export function situationOf(beo: Beo, now: number): Situation {
  const { id, domain, publicKey, status, recovery } = beo;
  if (status === 'DESTROYED' || domain === null || publicKey === null) return { kind: 'destroyed' };
  const identity: Identity = {
    beo_id: id,
    domain,
    public_key: publicKey,
    status,
    active_recovery: activeRecoveryView(recovery, now),
  };
  const guardians = eligibleGuardians(recovery, now).length;
  if (guardians >= THRESHOLD) return { kind: 'recoverable', identity, guardians };
  const isInvited = recovery.guardians.some((guardian) => guardian.status === 'PENDING' && isPresent(guardian, now));
  const pending = recovery.enabled && recovery.confirmedSince === null && status === 'ACTIVE' && isInvited;
  return { kind: 'tooFewGuardians', identity, guardians, pending };
}
