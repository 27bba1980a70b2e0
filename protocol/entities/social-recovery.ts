import type { z } from 'zod';
import { type ProtocolError, refusal } from '../errors.ts';
import type { GuardianId } from '../ids.ts';
import {
  GUARDIAN_ROLES,
  type Guardian,
  isConfirmed,
  isPresent,
  NO_RECOVERY,
  type Recovery,
  recoveryView,
  THRESHOLD,
} from './guardian.ts';
import type { Instant } from './recorded.ts';
import type * as views from './views.ts';

/** Grace period of guardians that the holder's key removes: a thief of the key cannot remove them at once. Protocol §3. */
export const GRACE_MS = 72 * 3_600_000;
export const REQUEST_MS = 72 * 3_600_000;
export const COOLDOWN_MS = 24 * 3_600_000;
/** Stored confirmations per guardian. The limit keeps a guardian from filling the identity's state. */
const MAX_CONFIRMATIONS = 10;

export interface Confirmation {
  readonly guardianId: GuardianId;
  /** Hex. Two confirmations must have different keys. */
  readonly publicKey: string;
  /** True if no public signature of the holder names the key: an auditor must then trust the relayer. */
  readonly asserted: boolean;
  readonly at: Instant;
}

/** A recovery request with at least one confirmation. Requests without one are not on the ledger. */
export interface ConfirmedRequest {
  readonly requestId: string;
  /** Hex. */
  readonly newPublicKey: string;
  readonly openedAt: Instant;
  readonly confirmations: readonly Confirmation[];
}

export interface SocialRecovery extends Recovery {
  /** When the holder first confirmed a guardian: since then only confirmed guardians are eligible. */
  readonly confirmedSince: Instant | null;
  /** When the holder required confirmed guardians: since then no other is eligible, not even in a grace period. */
  readonly requiredSince: Instant | null;
  readonly requests: readonly ConfirmedRequest[];
  /** Absent before the first one. */
  readonly cancelled?: readonly Cancellation[];
  readonly recoveredAt: Instant | null;
}

/** The holder's key closed a request. */
export interface Cancellation {
  readonly requestId: string;
  readonly at: Instant;
}

export const NO_SOCIAL_RECOVERY: SocialRecovery = {
  ...NO_RECOVERY,
  confirmedSince: null,
  requiredSince: null,
  requests: [],
  recoveredAt: null,
};

type EligibilityRules = Pick<SocialRecovery, 'enabled' | 'confirmedSince' | 'requiredSince'>;

const isEligibleWithoutGrace = (
  { enabled, confirmedSince, requiredSince }: EligibilityRules,
  guardian: Guardian,
): boolean =>
  enabled &&
  guardian.status === 'ACTIVE' &&
  ((confirmedSince === null && requiredSince === null) || isConfirmed(guardian));

/** Whether a guardian may confirm a recovery at `now` (ms). */
export const isEligible = (recovery: EligibilityRules, guardian: Guardian, now: number): boolean =>
  isEligibleWithoutGrace(recovery, guardian) ||
  (guardian.countsUntil !== null &&
    now < Date.parse(guardian.countsUntil) &&
    (recovery.requiredSince === null || isConfirmed(guardian)));

/** The guardians who may confirm a recovery at `now` (ms), one for each key. */
export function eligibleGuardians(
  recovery: SocialRecovery,
  now: number,
): readonly (Guardian & { publicKey: string })[] {
  const byKey = new Map<string, Guardian & { publicKey: string }>();
  for (const guardian of recovery.guardians) {
    const { publicKey } = guardian;
    if (publicKey === null || !isEligible(recovery, guardian, now)) continue;
    if (!byKey.has(publicKey) || guardian.status === 'ACTIVE') byKey.set(publicKey, { ...guardian, publicKey });
  }
  return [...byKey.values()];
}

/**
 * A configuration that the holder's key changed at `at`. Guardians who lose their eligibility keep it for 72 hours. If the first
 * confirmation causes the loss, only guardians who had accepted at least 72 hours before keep it. Protocol §3.
 */
export function withGracePeriods(before: SocialRecovery, after: SocialRecovery, at: Instant): SocialRecovery {
  const now = Date.parse(at);
  const until = new Date(now + GRACE_MS).toISOString();
  const firstRemovedAt = firstRemoval(removedInGrace(before, now));
  const graceOf = (guardian: Guardian): Instant | null => {
    const previous = before.guardians.find(({ guardianId }) => guardianId === guardian.guardianId);
    if (!previous || !isEligibleWithoutGrace(before, previous)) return guardian.countsUntil;
    const acceptedAt = Date.parse(previous.acceptedAt ?? at);
    if (acceptedAt >= firstRemovedAt) return guardian.countsUntil;
    const byConfirmation = guardian.status === 'ACTIVE' && after.enabled;
    const established = now - acceptedAt >= GRACE_MS;
    return byConfirmation && !established ? null : until;
  };
  const guardians = withUpdatedGrace(after, graceOf, now);
  return { ...after, guardians, requests: withoutVoidConfirmations(before, { ...after, guardians }, now) };
}

/** From `at` on only confirmed guardians are eligible: no grace period for others, and their confirmations are void. Protocol §3. */
export function withConfirmedRequired(before: SocialRecovery, at: Instant): SocialRecovery {
  const now = Date.parse(at);
  const required = { ...before, requiredSince: at };
  const guardians = withUpdatedGrace(
    required,
    (guardian) => (isConfirmed(guardian) ? guardian.countsUntil : null),
    now,
  );
  const after = { ...required, guardians };
  const eligible = new Set(eligibleGuardians(after, now).map(({ publicKey }) => publicKey));
  return { ...after, requests: withConfirmationsOf(before.requests, (key) => eligible.has(key)) };
}

/** A configuration without a guardian who resigned: without a grace period, and without the confirmations of this key. */
export const withoutGuardian = (before: SocialRecovery, { guardianId, publicKey }: Guardian): SocialRecovery => ({
  ...before,
  guardians: before.guardians.filter((guardian) => guardian.guardianId !== guardianId),
  requests: withConfirmationsOf(before.requests, (key) => key !== publicKey),
});

/** Requests with the confirmations of some keys only; drops requests without any. */
const withConfirmationsOf = (
  requests: readonly ConfirmedRequest[],
  isKept: (publicKey: string) => boolean,
): readonly ConfirmedRequest[] =>
  requests.flatMap((request) => {
    const confirmations = request.confirmations.filter(({ publicKey }) => isKept(publicKey));
    return confirmations.length > 0 ? [{ ...request, confirmations }] : [];
  });

/** Removes the confirmations of guardians who lost their eligibility without a grace period. */
function withoutVoidConfirmations(
  before: SocialRecovery,
  after: SocialRecovery,
  now: number,
): readonly ConfirmedRequest[] {
  const eligible = new Set(eligibleGuardians(after, now).map(({ publicKey }) => publicKey));
  const excluded = before.guardians.flatMap(({ publicKey, ...guardian }) =>
    publicKey !== null && isEligibleWithoutGrace(before, { publicKey, ...guardian }) && !eligible.has(publicKey)
      ? [publicKey]
      : [],
  );
  if (excluded.length === 0) return after.requests;
  return withConfirmationsOf(after.requests, (key) => !excluded.includes(key));
}

/** Sets the end of each grace period, and drops removed guardians whose grace period is over. */
const withUpdatedGrace = (
  recovery: SocialRecovery,
  countsUntil: (guardian: Guardian) => Instant | null,
  now: number,
): readonly Guardian[] =>
  recovery.guardians
    .map((guardian) => ({
      ...guardian,
      countsUntil: isEligibleWithoutGrace(recovery, guardian) ? null : countsUntil(guardian),
    }))
    .filter((guardian) => guardian.status !== 'REMOVED' || isEligible(recovery, guardian, now));

/** A guardian removed by the holder's key; null for one who never accepted. */
export function removedGuardian(guardian: Guardian, at: Instant): Guardian | null {
  if (guardian.status === 'REMOVED') return guardian;
  return guardian.status === 'ACTIVE' ? { ...guardian, status: 'REMOVED', removedAt: at } : null;
}

/** Removed guardians in their grace period, in the order of their removal. */
const removedInGrace = (recovery: SocialRecovery, now: number): readonly Guardian[] =>
  recovery.guardians
    .filter((guardian) => guardian.status === 'REMOVED' && isEligible(recovery, guardian, now))
    .toSorted((one, other) => removalTime(one) - removalTime(other));

const removalTime = ({ removedAt }: Guardian): number => (removedAt === null ? Number.NaN : Date.parse(removedAt));

/** Milliseconds; NaN for an empty list. */
const firstRemoval = ([first]: readonly Guardian[]): number => (first ? removalTime(first) : Number.NaN);

/**
 * The guardians after a recovery: those removed in the last 72 hours are restored, and guardians who accepted after the first of
 * these removals stay only in roles that are still free. No guardian has the holder's new key. Protocol §3.
 */
export function guardiansAfterRecovery(recovery: SocialRecovery, newPublicKey: string, at: Instant): SocialRecovery {
  const now = Date.parse(at);
  const restored = removedInGrace(recovery, now);
  const firstRemovedAt = firstRemoval(restored);
  const acceptedLater = ({ acceptedAt }: Guardian): boolean =>
    acceptedAt === null || Date.parse(acceptedAt) >= firstRemovedAt;
  const remaining = recovery.guardians.filter(({ status }) => status !== 'REMOVED');
  const guardians: Guardian[] = [];
  const add = (guardian: Guardian, mayChangeRole: boolean): void => {
    const keys = [newPublicKey, ...guardians.map(({ publicKey }) => publicKey)];
    const free = GUARDIAN_ROLES.filter((role) => guardians.every((other) => other.role !== role));
    const role = free.includes(guardian.role) ? guardian.role : mayChangeRole ? free[0] : undefined;
    if (!role || (guardian.publicKey !== null && keys.includes(guardian.publicKey))) return;
    const status = guardian.status === 'REMOVED' ? 'ACTIVE' : guardian.status;
    guardians.push({ ...guardian, role, status, removedAt: null });
  };
  for (const guardian of [...restored, ...remaining]) if (!acceptedLater(guardian)) add(guardian, true);
  for (const guardian of remaining) if (acceptedLater(guardian)) add(guardian, false);
  const recent = (time: Instant | null): boolean => time !== null && now < graceEnd(time, recovery.cancelled);
  // If confirmed guardians are required, a confirmation removed no guardian, and undoing it would leave none eligible.
  const undoesConfirmations = recovery.requiredSince === null && recent(recovery.confirmedSince);
  const after = {
    ...recovery,
    enabled: true,
    confirmedSince: undoesConfirmations ? null : recovery.confirmedSince,
    guardians: undoesConfirmations
      ? guardians.map((guardian) => ({
          ...guardian,
          confirmedAt: null,
          namedAt: recent(guardian.namedAt) ? null : guardian.namedAt,
        }))
      : guardians,
  };
  return { ...after, guardians: withUpdatedGrace(after, ({ countsUntil }) => countsUntil, now) };
}

/** The end (ms) of the 72 hours after `time`. Each cancellation within them begins them anew: the guardians must start again. */
const graceEnd = (time: Instant, cancelled: readonly Cancellation[] = []): number =>
  cancelled
    .map(({ at }) => Date.parse(at))
    .reduce((end, at) => (at < end ? Math.max(end, at + GRACE_MS) : end), Date.parse(time) + GRACE_MS);

/** Whether a request can be confirmed at `now` (ms). */
export const isOpen = ({ recoveredAt }: SocialRecovery, openedAt: Instant, now: number): boolean =>
  now < Date.parse(requestEnds(openedAt)) && (recoveredAt === null || Date.parse(openedAt) > Date.parse(recoveredAt));

export const requestEnds = (openedAt: Instant): Instant => new Date(Date.parse(openedAt) + REQUEST_MS).toISOString();

/** Why a request cannot be confirmed at `now` (ms), or null. */
export function requestProblem(
  recovery: SocialRecovery,
  { requestId, openedAt }: Pick<ConfirmedRequest, 'requestId' | 'openedAt'>,
  now: number,
): ProtocolError | null {
  const { recoveredAt, cancelled = [] } = recovery;
  const cancellation = cancelled.find((one) => one.requestId === requestId);
  if (cancellation) return cancelledBefore(cancellation.at);
  if (recoveredAt !== null && Date.parse(openedAt) <= Date.parse(recoveredAt)) {
    return refusal(
      'REQUEST_CLOSED',
      'The identity was recovered after this request was opened, so the request is closed.',
      {
        recovered_at: recoveredAt,
      },
    );
  }
  if (now < Date.parse(requestEnds(openedAt))) return null;
  return refusal('LINK_EXPIRED', 'The request has expired after 72 hours; a new one can be opened.', {
    expires_at: requestEnds(openedAt),
  });
}

export const cancelledBefore = (at: Instant): ProtocolError =>
  refusal('REQUEST_CLOSED', 'The holder of the identity has cancelled this request, so it is closed.', {
    cancelled_at: at,
  });

/** The confirmations of a request; empty if it has none. */
export const confirmationsOf = ({ requests }: SocialRecovery, requestId: string): readonly Confirmation[] =>
  requests.find((request) => request.requestId === requestId)?.confirmations ?? [];

/** Adds a confirmation. Drops expired requests, and the oldest confirmations of this guardian beyond the limit. */
export function withConfirmation(
  recovery: SocialRecovery,
  request: Omit<ConfirmedRequest, 'confirmations'>,
  confirmation: Confirmation,
): SocialRecovery {
  const now = Date.parse(confirmation.at);
  const confirmed = { ...request, confirmations: [...confirmationsOf(recovery, request.requestId), confirmation] };
  const others = recovery.requests.filter(
    ({ requestId, openedAt }) => requestId !== request.requestId && isOpen(recovery, openedAt, now),
  );
  const own = others.filter((other) =>
    other.confirmations.some(({ publicKey }) => publicKey === confirmation.publicKey),
  );
  const overLimit = new Set(
    own
      .toSorted((one, other) => latest(other, confirmation.publicKey) - latest(one, confirmation.publicKey))
      .slice(MAX_CONFIRMATIONS - 1),
  );
  const kept = others.flatMap((other) => {
    if (!overLimit.has(other)) return [other];
    const confirmations = other.confirmations.filter(({ publicKey }) => publicKey !== confirmation.publicKey);
    return confirmations.length > 0 ? [{ ...other, confirmations }] : [];
  });
  return { ...recovery, requests: [...kept, confirmed] };
}

const latest = ({ confirmations }: ConfirmedRequest, key: string): number =>
  Date.parse(confirmations.find(({ publicKey }) => publicKey === key)?.at ?? '');

/** An identity's configuration as the API returns it. `now` in ms, as in recoveryView. */
export const socialRecoveryView = (recovery: SocialRecovery, now: number): z.output<typeof views.socialRecovery> => {
  const { enabled, threshold, guardians } = recoveryView(recovery, now);
  return { enabled, threshold, confirmed_only: recovery.requiredSince !== null, guardians };
};

/** The open request with the most confirmations, or the latest of these, as the API returns it. Protocol §3. */
export function activeRecoveryView(
  recovery: SocialRecovery,
  now: number,
): z.output<typeof views.activeRecovery> | null {
  const [first] = recovery.requests
    .filter(({ openedAt }) => isOpen(recovery, openedAt, now))
    .toSorted((one, other) => other.confirmations.length - one.confirmations.length || later(one, other));
  if (!first) return null;
  return {
    request_id: first.requestId,
    new_public_key: first.newPublicKey,
    confirmations: first.confirmations.length,
    confirmations_needed: THRESHOLD,
    expires_at: requestEnds(first.openedAt),
  };
}

const later = (one: ConfirmedRequest, other: ConfirmedRequest): number =>
  Date.parse(other.openedAt) - Date.parse(one.openedAt);

/** The end of the 24 hours after a recovery in which the identity cannot be destroyed; null if they are over at `now` (ms). */
export function cooldownEnd({ recoveredAt }: SocialRecovery, now: number): Instant | null {
  if (recoveredAt === null) return null;
  const until = Date.parse(recoveredAt) + COOLDOWN_MS;
  return now >= until ? null : new Date(until).toISOString();
}

/** @throws RECOVERY_COOLDOWN in the 24 hours after a recovery. */
export function requireNoCooldown(recovery: SocialRecovery, at: Instant): void {
  const until = cooldownEnd(recovery, Date.parse(at));
  if (until !== null) throw refusal('RECOVERY_COOLDOWN', undefined, { until });
}

/** @throws PUBLIC_KEY_TAKEN if a key is the holder's or a guardian's at `now` (ms): each confirmation needs another person */
export function requireFreeKey(
  { recovery, publicKey: holderKey }: { readonly recovery: SocialRecovery; readonly publicKey: string | null },
  key: string,
  now: number,
): void {
  if (key === holderKey) throw refusal('PUBLIC_KEY_TAKEN', 'This key is the holder’s; a guardian needs another key.');
  const other = recovery.guardians.find(
    (guardian) => guardian.publicKey === key && (isPresent(guardian, now) || isEligible(recovery, guardian, now)),
  );
  if (other)
    throw refusal('PUBLIC_KEY_TAKEN', `This key is already the key of the ${other.role} guardian; use another key.`, {
      role: other.role,
    });
}

/** The guardians who can recover the identity at `now` (ms). @throws RECOVERY_NOT_CONFIGURED if there are fewer than two */
export function requireEligibleGuardians(recovery: SocialRecovery, now: number): ReturnType<typeof eligibleGuardians> {
  const guardians = eligibleGuardians(recovery, now);
  if (guardians.length < THRESHOLD) throw refusal('RECOVERY_NOT_CONFIGURED');
  return guardians;
}
