import type { BeoView } from '../../../../protocol/beo.ts';
import { invitationEnds, THRESHOLD } from '../../../../protocol/guardian.ts';
import { GUARDIAN_ROLES, type GuardianRole } from '../../../../protocol/ids.ts';

export type RecoveryView = BeoView['recovery'];
export type GuardianView = RecoveryView['guardians'][number];

/** One of the three places that guardians can have. */
export interface Place {
  readonly role: GuardianRole;
  /** `accepted` waits for the holder to compare words; an invitation that ran out is `lapsed`. */
  readonly state: 'free' | 'invited' | 'lapsed' | 'accepted' | 'confirmed';
  readonly guardian: GuardianView | null;
  /** Whether the word of this guardian counts, now and as long as nothing is changed. */
  readonly counts: boolean;
  /** ISO 8601: until when the link is good, of one who is invited. */
  readonly ends: string | null;
}

/** How far it is to a recovery, if the key were lost today. */
export type Readiness = 'off' | 'none' | 'one' | 'two' | 'three';

export interface GuardiansStatus {
  /** In the order of the roles. */
  readonly places: readonly Place[];
  /** Removed, and able to confirm a recovery for what is left of 72 hours. */
  readonly leaving: readonly GuardianView[];
  readonly eligibleCount: number;
  readonly readiness: Readiness;
  /** Only guardians whose key the holder has signed count. */
  readonly onlyConfirmed: boolean;
  /** The holder has required that for ever, in public. */
  readonly required: boolean;
}

const STATES = { PENDING: 'invited', EXPIRED: 'lapsed', ACTIVE: 'accepted', REMOVED: 'free' } as const;
const BY_COUNT = ['none', 'one', 'two', 'three'] as const;

/**
 * Who stands where, from what every read answers (protocol §3). `confirmedBefore`: the ledger has a confirmGuardian of the holder.
 * `eligible` are the guardians who may confirm a recovery now, where the service has told the holder; without it, it follows
 * from the rest. A removed guardian is not counted, for soon they are gone.
 */
export function guardiansStatusOf(
  { enabled, guardians, confirmed_only: required }: RecoveryView,
  confirmedBefore: boolean,
  eligible: ReadonlySet<string> | null = null,
): GuardiansStatus {
  const onlyConfirmed = required || confirmedBefore;
  const counts = (guardian: GuardianView) =>
    eligible?.has(guardian.guardian_id) ?? (enabled && (guardian.confirmed || !onlyConfirmed));
  const places = GUARDIAN_ROLES.map((role): Place => {
    const guardian = guardians.find((one) => one.role === role && one.status !== 'REMOVED') ?? null;
    const accepted = guardian?.status === 'ACTIVE';
    return {
      role,
      state: guardian ? (accepted && guardian.confirmed ? 'confirmed' : STATES[guardian.status]) : 'free',
      guardian,
      counts: accepted && counts(guardian),
      ends: guardian?.status === 'PENDING' ? invitationEnds(guardian.added_at) : null,
    };
  });
  const eligibleCount = places.filter(({ counts }) => counts).length;
  const isOff = !enabled && places.some(isTaken);
  return {
    places,
    leaving: guardians.filter(({ status }) => status === 'REMOVED'),
    eligibleCount,
    readiness: isOff ? 'off' : (BY_COUNT[eligibleCount] ?? 'three'),
    onlyConfirmed,
    required,
  };
}

/** Whether somebody has a place, or can still take it by a link. */
export const isTaken = ({ state }: Place): boolean => state !== 'free' && state !== 'lapsed';

/** The place for who is invited next; null where all three are taken. */
export const freePlace = ({ places }: GuardiansStatus): Place | null => places.find((place) => !isTaken(place)) ?? null;

/** Whether guardians could recover the identity. */
export const isReady = ({ eligibleCount }: GuardiansStatus): boolean => eligibleCount >= THRESHOLD;

/** How it would stand without somebody who has a place. */
export function without(recovery: RecoveryView, gone: GuardianView, confirmedBefore: boolean): GuardiansStatus {
  const guardians = recovery.guardians.filter((guardian) => guardian !== gone);
  return guardiansStatusOf({ ...recovery, guardians }, confirmedBefore);
}
