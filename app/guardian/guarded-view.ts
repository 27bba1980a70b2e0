import { GUARDIAN_ROLES, type GuardianRole } from '../../protocol/ids.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { fieldsOf } from '../_session/post.ts';

/** An identity that a key guards, as listGuarded answers it. Times are ISO 8601. */
export interface GuardedIdentity {
  readonly beoId: string;
  /** Null once the identity is destroyed. */
  readonly domain: string | null;
  readonly locked: boolean;
  readonly guardianId: string;
  readonly role: GuardianRole;
  /** The holder has removed this guardian. */
  readonly removed: boolean;
  /** The holder has signed for the key. */
  readonly confirmed: boolean;
  /** May confirm a recovery now. */
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
export const leftWithout = ({ eligible, eligibleGuardians }: GuardedIdentity): number =>
  eligibleGuardians - (eligible ? 1 : 0);

export const guardedIn = (body: Json): GuardedIdentity[] => {
  const { guarded } = fieldsOf(body);
  return Array.isArray(guarded) ? guarded.map(fieldsOf).map(oneOf) : [];
};

const oneOf = (one: ReturnType<typeof fieldsOf>): GuardedIdentity => ({
  beoId: String(one.beo_id),
  domain: textOrNull(one.beo_domain),
  locked: one.beo_status === 'LOCKED',
  guardianId: String(one.guardian_id),
  role: GUARDIAN_ROLES.find((role) => role === one.role) ?? 'primary',
  removed: one.status !== 'ACTIVE',
  confirmed: one.confirmed === true,
  eligible: one.eligible === true,
  eligibleUntil: textOrNull(one.eligible_until),
  acceptedAt: textOrNull(one.accepted_at),
  eligibleGuardians: Number(one.eligible_guardians),
  needed: Number(one.confirmations_needed),
});

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
