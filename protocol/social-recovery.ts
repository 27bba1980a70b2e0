import { type ProtocolError, refusal } from './errors.ts';
import {
  type Guardian,
  isConfirmed,
  isPresent,
  NO_RECOVERY,
  type Recovery,
  recoveryView,
  THRESHOLD,
} from './guardian.ts';
import { GUARDIAN_ROLES, type GuardianId } from './ids.ts';
import type { Instant } from './recorded.ts';

/** How long whom the holder's key unseats still counts: a thief of the key cannot be quicker than the holder. Protocol §3. */
export const GRACE_MS = 72 * 3_600_000;
export const REQUEST_MS = 72 * 3_600_000;
export const COOLDOWN_MS = 24 * 3_600_000;
/** Remembered of one guardian: so many that nobody needs more, so few that nobody can fill an identity with them. */
const MAX_CONFIRMATIONS = 10;

export interface Confirmation {
  readonly guardianId: GuardianId;
  /** Hex: what makes two confirmations those of two people. */
  readonly publicKey: string;
  /** Whether no public signature of the holder named the key: an auditor has only the relayer's word for it. */
  readonly asserted: boolean;
  readonly at: Instant;
}

/** A request for recovery that at least one guardian has confirmed. One without is nothing the ledger knows. */
export interface ConfirmedRequest {
  readonly requestId: string;
  /** Hex. */
  readonly newPublicKey: string;
  readonly openedAt: Instant;
  readonly confirmations: readonly Confirmation[];
}

export interface SocialRecovery extends Recovery {
  /** When the holder confirmed a guardian for the first time: from then on only confirmed ones count. */
  readonly confirmedSince: Instant | null;
  /** When the holder required confirmed guardians: from then on no other is ever eligible. */
  readonly requiredSince: Instant | null;
  readonly requests: readonly ConfirmedRequest[];
  readonly recoveredAt: Instant | null;
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

/** Whether a guardian's word counts at `now` (ms). */
export const isEligible = (recovery: EligibilityRules, guardian: Guardian, now: number): boolean =>
  isEligibleWithoutGrace(recovery, guardian) ||
  (guardian.countsUntil !== null &&
    now < Date.parse(guardian.countsUntil) &&
    (recovery.requiredSince === null || isConfirmed(guardian)));

/** The guardians whose word counts at `now` (ms), one for each key. */
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
 * A configuration after the holder's key has changed it at `at`. Whoever counted before and no longer does goes on counting
 * for 72 hours; whom the holder's first confirmation unseats, only where it had counted for as long before.
 */
export function withGracePeriods(before: SocialRecovery, after: SocialRecovery, at: Instant): SocialRecovery {
  const now = Date.parse(at);
  const hold = new Date(now + GRACE_MS).toISOString();
  const turn = firstRemoval(removedInGrace(before, now));
  const unseated = (guardian: Guardian): Instant | null => {
    const previous = before.guardians.find(({ guardianId }) => guardianId === guardian.guardianId);
    if (!previous || !isEligibleWithoutGrace(before, previous)) return guardian.countsUntil;
    const acceptedAt = Date.parse(previous.acceptedAt ?? at);
    if (acceptedAt >= turn) return guardian.countsUntil;
    const byConfirmation = guardian.status === 'ACTIVE' && after.enabled;
    const established = now - acceptedAt >= GRACE_MS;
    return byConfirmation && !established ? null : hold;
  };
  const guardians = withUpdatedGrace(after, unseated, now);
  return { ...after, guardians, requests: withoutVoidConfirmations(before, { ...after, guardians }, now) };
}

/** From `at` on only confirmed guardians are eligible, without a grace for the others; what these confirmed is void. Protocol §3. */
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

/** A configuration without a guardian who resigned: no grace, and nothing of what this key had confirmed. */
export const withoutGuardian = (before: SocialRecovery, { guardianId, publicKey }: Guardian): SocialRecovery => ({
  ...before,
  guardians: before.guardians.filter((guardian) => guardian.guardianId !== guardianId),
  requests: withConfirmationsOf(before.requests, (key) => key !== publicKey),
});

/** Requests with the confirmations of some keys; one that has none left is unknown to the ledger. */
const withConfirmationsOf = (
  requests: readonly ConfirmedRequest[],
  isKept: (publicKey: string) => boolean,
): readonly ConfirmedRequest[] =>
  requests.flatMap((request) => {
    const confirmations = request.confirmations.filter(({ publicKey }) => isKept(publicKey));
    return confirmations.length > 0 ? [{ ...request, confirmations }] : [];
  });

/** What was confirmed by somebody who is unseated without a grace counts no more; the word of the others stays given. */
function withoutVoidConfirmations(
  before: SocialRecovery,
  after: SocialRecovery,
  now: number,
): readonly ConfirmedRequest[] {
  const heard = new Set(eligibleGuardians(after, now).map(({ publicKey }) => publicKey));
  const silenced = before.guardians.flatMap(({ publicKey, ...guardian }) =>
    publicKey !== null && isEligibleWithoutGrace(before, { publicKey, ...guardian }) && !heard.has(publicKey)
      ? [publicKey]
      : [],
  );
  if (silenced.length === 0) return after.requests;
  return withConfirmationsOf(after.requests, (key) => !silenced.includes(key));
}

/** Nobody needs a grace who counts by right; and whoever was removedGuardian and counts no more is gone. */
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

/** A guardian as the holder's key removes it; null for one who never accepted. */
export function removedGuardian(guardian: Guardian, at: Instant): Guardian | null {
  if (guardian.status === 'REMOVED') return guardian;
  return guardian.status === 'ACTIVE' ? { ...guardian, status: 'REMOVED', removedAt: at } : null;
}

/** Whoever was removedGuardian and counts still, in the order of their going. */
const removedInGrace = (recovery: SocialRecovery, now: number): readonly Guardian[] =>
  recovery.guardians
    .filter((guardian) => guardian.status === 'REMOVED' && isEligible(recovery, guardian, now))
    .toSorted((one, other) => removalTime(one) - removalTime(other));

const removalTime = ({ removedAt }: Guardian): number => (removedAt === null ? Number.NaN : Date.parse(removedAt));

/** Milliseconds; NaN where nobody has gone. */
const firstRemoval = ([first]: readonly Guardian[]): number => (first ? removalTime(first) : Number.NaN);

/**
 * The guardians after a recovery: those removedGuardian in the last 72 hours are back, and whoever came after the first of these
 * removals keeps only what place is left. The holder's new key cannot be a guardian's.
 */
export function guardiansAfterRecovery(recovery: SocialRecovery, newPublicKey: string, at: Instant): SocialRecovery {
  const now = Date.parse(at);
  const returning = removedInGrace(recovery, now);
  const turn = firstRemoval(returning);
  const cameAfter = ({ acceptedAt }: Guardian): boolean => acceptedAt === null || Date.parse(acceptedAt) >= turn;
  const staying = recovery.guardians.filter(({ status }) => status !== 'REMOVED');
  const seated: Guardian[] = [];
  const seat = (guardian: Guardian, mayMove: boolean): void => {
    const keys = [newPublicKey, ...seated.map(({ publicKey }) => publicKey)];
    const free = GUARDIAN_ROLES.filter((role) => seated.every((other) => other.role !== role));
    const role = free.includes(guardian.role) ? guardian.role : mayMove ? free[0] : undefined;
    if (!role || (guardian.publicKey !== null && keys.includes(guardian.publicKey))) return;
    const status = guardian.status === 'REMOVED' ? 'ACTIVE' : guardian.status;
    seated.push({ ...guardian, role, status, removedAt: null });
  };
  for (const guardian of [...returning, ...staying]) if (!cameAfter(guardian)) seat(guardian, true);
  for (const guardian of staying) if (cameAfter(guardian)) seat(guardian, false);
  const recent = (time: Instant | null): boolean => time !== null && now - Date.parse(time) < GRACE_MS;
  // Where confirmed guardians are required, a confirmation could unseat nobody, and undoing it would leave none.
  const undone = recovery.requiredSince === null && recent(recovery.confirmedSince);
  const after = {
    ...recovery,
    enabled: true,
    confirmedSince: undone ? null : recovery.confirmedSince,
    guardians: undone
      ? seated.map((guardian) => ({
          ...guardian,
          confirmedAt: null,
          namedAt: recent(guardian.namedAt) ? null : guardian.namedAt,
        }))
      : seated,
  };
  return { ...after, guardians: withUpdatedGrace(after, ({ countsUntil }) => countsUntil, now) };
}

const isOpen = ({ recoveredAt }: SocialRecovery, openedAt: Instant, now: number): boolean =>
  now < Date.parse(requestEnds(openedAt)) && (recoveredAt === null || Date.parse(openedAt) > Date.parse(recoveredAt));

export const requestEnds = (openedAt: Instant): Instant => new Date(Date.parse(openedAt) + REQUEST_MS).toISOString();

/** Why a request that was opened at `openedAt` cannot be confirmed at `now` (ms), or null. */
export function requestProblem(recovery: SocialRecovery, openedAt: Instant, now: number): ProtocolError | null {
  const { recoveredAt } = recovery;
  if (recoveredAt !== null && Date.parse(openedAt) <= Date.parse(recoveredAt)) {
    return refusal('REQUEST_CLOSED', 'The identity was recovered since; this request is closed.', {
      recovered_at: recoveredAt,
    });
  }
  if (now < Date.parse(requestEnds(openedAt))) return null;
  return refusal('LINK_EXPIRED', 'The request was open for 72 hours and has expired.', {
    expires_at: requestEnds(openedAt),
  });
}

/** The confirmations of a request that count towards its execution. */
export const confirmationsOf = ({ requests }: SocialRecovery, requestId: string): readonly Confirmation[] =>
  requests.find((request) => request.requestId === requestId)?.confirmations ?? [];

/** Adds a confirmation; requests that have run out are forgotten, and of one guardian all but the latest few. */
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
  const beyond = new Set(
    own
      .toSorted((one, other) => latest(other, confirmation.publicKey) - latest(one, confirmation.publicKey))
      .slice(MAX_CONFIRMATIONS - 1),
  );
  const kept = others.flatMap((other) => {
    if (!beyond.has(other)) return [other];
    const confirmations = other.confirmations.filter(({ publicKey }) => publicKey !== confirmation.publicKey);
    return confirmations.length > 0 ? [{ ...other, confirmations }] : [];
  });
  return { ...recovery, requests: [...kept, confirmed] };
}

const latest = ({ confirmations }: ConfirmedRequest, key: string): number =>
  Date.parse(confirmations.find(({ publicKey }) => publicKey === key)?.at ?? '');

/** An identity's configuration as every read answers it. `now` in ms, as in recoveryView. */
export const socialRecoveryView = (recovery: SocialRecovery, now: number) => {
  const { guardians, ...configuration } = recoveryView(recovery, now);
  return { ...configuration, confirmed_only: recovery.requiredSince !== null, guardians };
};

/** The open request with the most confirmations, the latest of several, as reads answer it. Protocol §3. */
export function activeRecoveryView(recovery: SocialRecovery, now: number) {
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

/** @throws RECOVERY_COOLDOWN in the 24 hours after a recovery. */
export function requireNoCooldown({ recoveredAt }: SocialRecovery, at: Instant): void {
  if (recoveredAt === null) return;
  const until = Date.parse(recoveredAt) + COOLDOWN_MS;
  if (Date.parse(at) >= until) return;
  throw refusal('RECOVERY_COOLDOWN', undefined, { until: new Date(until).toISOString() });
}

/** @throws PUBLIC_KEY_TAKEN where a key is the holder's or a guardian's at `now` (ms): one person cannot be two. */
export function requireFreeKey(
  { recovery, publicKey: holderKey }: { readonly recovery: SocialRecovery; readonly publicKey: string | null },
  key: string,
  now: number,
): void {
  if (key === holderKey)
    throw refusal('PUBLIC_KEY_TAKEN', 'This key is the holder’s; nobody can be their own guardian.');
  const other = recovery.guardians.find(
    (guardian) => guardian.publicKey === key && (isPresent(guardian, now) || isEligible(recovery, guardian, now)),
  );
  if (other)
    throw refusal('PUBLIC_KEY_TAKEN', `This key is the ${other.role} guardian’s already.`, { role: other.role });
}

/** Who could recover the identity at `now` (ms). @throws RECOVERY_NOT_CONFIGURED where they are not two. */
export function requireRecoverers(recovery: SocialRecovery, now: number): ReturnType<typeof eligibleGuardians> {
  const guardians = eligibleGuardians(recovery, now);
  if (guardians.length < THRESHOLD) throw refusal('RECOVERY_NOT_CONFIGURED');
  return guardians;
}
