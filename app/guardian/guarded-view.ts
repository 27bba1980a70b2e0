import type { GuardedList } from '../../client/types.ts';
import { GUARDIAN_ROLES, type GuardianRole } from '../../protocol/entities/guardian.ts';

/** An identity that a key guards, as listGuarded returns it. Times are ISO 8601. */
export interface GuardedIdentity {
  readonly beoId: string;
  /** Null once the identity is destroyed. */
  readonly domain: string | null;
  readonly locked: boolean;
  readonly guardianId: string;
  readonly role: GuardianRole;
  /** The holder has removed this guardian. */
  readonly removed: boolean;
  /** The holder has confirmed this guardian. */
  readonly confirmed: boolean;
  /** Can confirm a recovery now. */
  readonly eligible: boolean;
  /** The end of the eligibility; null without an end. */
  readonly eligibleUntil: string | null;
  readonly acceptedAt: string | null;
  /** The last day on which this guardian checked the key; null if never. */
  readonly attestedOn: string | null;
  /** For attestGuardian. */
  readonly challenge: string;
  readonly eligibleGuardians: number;
  readonly needed: number;
}

/** The status of a guardianship; the first that applies. */
export type GuardedState = 'leaving' | 'eligible' | 'unconfirmed' | 'off';

export const stateOf = ({ removed, eligible, confirmed }: GuardedIdentity): GuardedState => {
  if (removed) return 'leaving';
  if (eligible) return 'eligible';
  return confirmed ? 'off' : 'unconfirmed';
};

/** The number of eligible guardians once this one has resigned. */
export const eligibleWithout = ({ eligible, eligibleGuardians }: GuardedIdentity): number =>
  eligibleGuardians - (eligible ? 1 : 0);

export const guardedIn = ({ guarded }: Pick<GuardedList, 'guarded'>): GuardedIdentity[] =>
  guarded.map((view) => ({
    beoId: view.beo_id,
    domain: view.beo_domain,
    locked: view.beo_status === 'LOCKED',
    guardianId: view.guardian_id,
    role: GUARDIAN_ROLES.find((role) => role === view.role) ?? 'primary',
    removed: view.status !== 'ACTIVE',
    confirmed: view.confirmed,
    eligible: view.eligible,
    eligibleUntil: view.eligible_until,
    acceptedAt: view.accepted_at,
    attestedOn: view.attested_on,
    challenge: view.challenge,
    eligibleGuardians: view.eligible_guardians,
    needed: view.confirmations_needed,
  }));
