import type { BeoView } from '../../protocol/beo.ts';
import { invitationEnds, THRESHOLD } from '../../protocol/guardian.ts';
import { GUARDIAN_ROLES, type GuardianRole } from '../../protocol/ids.ts';

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

export interface Standing {
  /** In the order of the roles. */
  readonly places: readonly Place[];
  /** Removed, and able to confirm a recovery for what is left of 72 hours. */
  readonly leaving: readonly GuardianView[];
  readonly counting: number;
  readonly readiness: Readiness;
  /** Some guardian was confirmed before: from then on only confirmed ones count. */
  readonly onlyConfirmed: boolean;
}

const STATES = { PENDING: 'invited', EXPIRED: 'lapsed', ACTIVE: 'accepted', REMOVED: 'free' } as const;
const BY_COUNT = ['none', 'one', 'two', 'three'] as const;

/**
 * Who stands where, from what every read answers (protocol §3). `confirmedBefore` is what the ledger says about earlier
 * confirmations: those of guardians who are long gone no read shows. A removed guardian is not counted, for soon they are gone.
 */
export function standingOf({ enabled, guardians }: RecoveryView, confirmedBefore: boolean): Standing {
  const onlyConfirmed = confirmedBefore || guardians.some(({ confirmed }) => confirmed);
  const places = GUARDIAN_ROLES.map((role): Place => {
    const guardian = guardians.find((one) => one.role === role && one.status !== 'REMOVED') ?? null;
    const accepted = guardian?.status === 'ACTIVE';
    return {
      role,
      state: guardian ? (accepted && guardian.confirmed ? 'confirmed' : STATES[guardian.status]) : 'free',
      guardian,
      counts: accepted && enabled && (guardian.confirmed || !onlyConfirmed),
      ends: guardian?.status === 'PENDING' ? invitationEnds(guardian.added_at) : null,
    };
  });
  const counting = places.filter(({ counts }) => counts).length;
  const isOff = !enabled && places.some(isTaken);
  return {
    places,
    leaving: guardians.filter(({ status }) => status === 'REMOVED'),
    counting,
    readiness: isOff ? 'off' : (BY_COUNT[counting] ?? 'three'),
    onlyConfirmed,
  };
}

/** Whether somebody has a place, or can still take it by a link. */
export const isTaken = ({ state }: Place): boolean => state !== 'free' && state !== 'lapsed';

/** The place for who is invited next; null where all three are taken. */
export const freePlace = ({ places }: Standing): Place | null => places.find((place) => !isTaken(place)) ?? null;

/** Whether guardians could recover the identity. */
export const isReady = ({ counting }: Standing): boolean => counting >= THRESHOLD;

/** How it would stand without somebody who has a place. */
export function without(recovery: RecoveryView, gone: GuardianView, confirmedBefore: boolean): Standing {
  const guardians = recovery.guardians.filter((guardian) => guardian !== gone);
  return standingOf({ ...recovery, guardians }, confirmedBefore || gone.confirmed);
}
