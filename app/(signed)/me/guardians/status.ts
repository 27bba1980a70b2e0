import type { BeoView } from '../../../../protocol/entities/beo.ts';
import {
  GUARDIAN_ROLES,
  type GuardianRole,
  invitationEnds,
  THRESHOLD,
} from '../../../../protocol/entities/guardian.ts';

export type RecoveryView = BeoView['recovery'];
export type GuardianView = RecoveryView['guardians'][number];

/** One of the three places for guardians. */
export interface Place {
  readonly role: GuardianRole;
  /** `accepted`: the holder has not compared words yet. `lapsed`: the invitation has expired. */
  readonly state: 'free' | 'invited' | 'lapsed' | 'accepted' | 'confirmed';
  readonly guardian: GuardianView | null;
  /** Whether the guardian is eligible, now and until something changes. */
  readonly eligible: boolean;
  /** When an open invitation expires, ISO 8601. */
  readonly ends: string | null;
}

/** Whether guardians could recover the identity now. */
export type Readiness = 'off' | 'none' | 'one' | 'two' | 'three';

export interface GuardiansStatus {
  /** In the order of the roles. */
  readonly places: readonly Place[];
  /** Removed guardians, who stay eligible for 72 hours. */
  readonly leaving: readonly GuardianView[];
  readonly eligibleCount: number;
  readonly readiness: Readiness;
  /** Only confirmed guardians are eligible. */
  readonly onlyConfirmed: boolean;
  /** The holder has required that permanently, in public. */
  readonly required: boolean;
}

const STATES = { PENDING: 'invited', EXPIRED: 'lapsed', ACTIVE: 'accepted', REMOVED: 'free' } as const;
const BY_COUNT = ['none', 'one', 'two', 'three'] as const;

/**
 * The status of the guardians, from the public view (protocol §3). `confirmedBefore`: the ledger has a confirmGuardian of the
 * holder. `eligibleIds`: the eligible guardians, if the holder has read them; otherwise derived. Removed guardians are not counted.
 */
export function guardiansStatusOf(
  { enabled, guardians, confirmed_only: required }: RecoveryView,
  confirmedBefore: boolean,
  eligibleIds: ReadonlySet<string> | null = null,
): GuardiansStatus {
  const onlyConfirmed = required || confirmedBefore;
  const isEligible = (guardian: GuardianView) =>
    eligibleIds?.has(guardian.guardian_id) ?? (enabled && (guardian.confirmed || !onlyConfirmed));
  const places = GUARDIAN_ROLES.map((role): Place => {
    const guardian = guardians.find((candidate) => candidate.role === role && candidate.status !== 'REMOVED') ?? null;
    const accepted = guardian?.status === 'ACTIVE';
    return {
      role,
      state: guardian ? (accepted && guardian.confirmed ? 'confirmed' : STATES[guardian.status]) : 'free',
      guardian,
      eligible: accepted && isEligible(guardian),
      ends: guardian?.status === 'PENDING' ? invitationEnds(guardian.added_at) : null,
    };
  });
  const eligibleCount = places.filter(({ eligible }) => eligible).length;
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

/** Whether a place has a guardian or an open invitation. */
export const isTaken = ({ state }: Place): boolean => state !== 'free' && state !== 'lapsed';

/** A place as a shield: filled for a guardian who can help, half for one who is not confirmed, with a clock for one who cannot yet. */
export function shieldOf({ eligible, state }: Place): 'full' | 'half' | 'waiting' | 'empty' {
  if (eligible) return state === 'confirmed' ? 'full' : 'half';
  return state === 'free' || state === 'lapsed' ? 'empty' : 'waiting';
}

/** The place for the next invitation; null where all three are taken. */
export const freePlace = ({ places }: GuardiansStatus): Place | null => places.find((place) => !isTaken(place)) ?? null;

/** Whether guardians could recover the identity. */
export const isReady = ({ eligibleCount }: GuardiansStatus): boolean => eligibleCount >= THRESHOLD;

/** The status without one of the guardians. */
export function without(recovery: RecoveryView, gone: GuardianView, confirmedBefore: boolean): GuardiansStatus {
  const guardians = recovery.guardians.filter((guardian) => guardian !== gone);
  return guardiansStatusOf({ ...recovery, guardians }, confirmedBefore);
}

/** A recovery takes two guardians who have accepted; so does a practice. */
export const canPractise = ({ places }: Pick<GuardiansStatus, 'places'>): boolean =>
  places.filter(({ state }) => state === 'accepted' || state === 'confirmed').length >= 2;
