import { GUARDIAN_ROLES, type GuardianRole } from '../../protocol/entities/guardian.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { fieldsOf } from '../_session/post.ts';

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

export const guardedIn = (body: Json): GuardedIdentity[] => {
  const { guarded } = fieldsOf(body);
  return Array.isArray(guarded) ? guarded.map(fieldsOf).map(guardedIdentity) : [];
};

const guardedIdentity = (view: ReturnType<typeof fieldsOf>): GuardedIdentity => ({
  beoId: String(view.beo_id),
  domain: textOrNull(view.beo_domain),
  locked: view.beo_status === 'LOCKED',
  guardianId: String(view.guardian_id),
  role: GUARDIAN_ROLES.find((role) => role === view.role) ?? 'primary',
  removed: view.status !== 'ACTIVE',
  confirmed: view.confirmed === true,
  eligible: view.eligible === true,
  eligibleUntil: textOrNull(view.eligible_until),
  acceptedAt: textOrNull(view.accepted_at),
  eligibleGuardians: Number(view.eligible_guardians),
  needed: Number(view.confirmations_needed),
});

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
