import { DAY_MS } from '../day-ms.ts';
import { type ProtocolError, refusal } from '../errors.ts';
import type { Instant } from './recorded.ts';
import {
  type Cancellation,
  cancelledBefore,
  GRACE_MS,
  isOpen,
  REQUEST_MS,
  type SocialRecovery,
} from './social-recovery.ts';

/** A request that was opened after this many cancellations within CANCELLING_MS cannot be cancelled: a thief of the key must not prevent every recovery. */
export const MAX_CANCELLATIONS = 2;
export const CANCELLING_MS = 7 * DAY_MS;

/**
 * Closes a request that a guardian has confirmed, and begins running grace periods anew. Earlier cancellations are remembered for as long as a request
 * can be open that they keep from being cancelled.
 * @throws NOT_FOUND without a confirmed request, REQUEST_CLOSED if it has ended, RECOVERY_COOLDOWN after too many cancellations
 */
export function withoutRequest(recovery: SocialRecovery, requestId: string, at: Instant): SocialRecovery {
  const { requests, cancelled = [] } = recovery;
  const earlier = cancelled.find((one) => one.requestId === requestId);
  if (earlier) throw cancelledBefore(earlier.at);
  const request = requests.find((one) => one.requestId === requestId);
  if (!request) throw refusal('NOT_FOUND', NOT_CONFIRMED);
  const now = Date.parse(at);
  if (!isOpen(recovery, request.openedAt, now)) throw refusal('REQUEST_CLOSED');
  const until = cancellableFrom(cancelled, request.openedAt);
  if (until !== null) throw refusal('RECOVERY_COOLDOWN', TOO_MANY_CANCELLED, { until });
  const counting = cancelled.filter((one) => now - Date.parse(one.at) < CANCELLING_MS + REQUEST_MS);
  const graceUntil = new Date(now + GRACE_MS).toISOString();
  return {
    ...recovery,
    // Otherwise a thief of the key could cancel until the guardians that it removed are no longer eligible.
    guardians: recovery.guardians.map((guardian) =>
      guardian.countsUntil !== null && now < Date.parse(guardian.countsUntil)
        ? { ...guardian, countsUntil: graceUntil }
        : guardian,
    ),
    requests: requests.filter((one) => one !== request),
    cancelled: [...counting, { requestId, at }],
  };
}

const NOT_CONFIRMED = 'This identity has no request with this id.';
const TOO_MANY_CANCELLED =
  'This request cannot be cancelled: two were cancelled within the 7 days before it was opened. Call your guardians.';

/**
 * Why a request that no guardian has confirmed cannot be cancelled at `now` (ms), or null. `cancelled`: when others without a confirmation
 * were. They count among themselves, so that neither a thief nor a stranger uses up what the ledger counts.
 */
export function refuseCancelling(
  recovery: SocialRecovery,
  openedAt: Instant,
  cancelled: readonly Instant[],
  now: number,
): ProtocolError | null {
  const { guardians, recoveredAt } = recovery;
  if (!isOpen(recovery, openedAt, now)) return refusal('REQUEST_CLOSED');
  // Begins no grace period anew, so that it must not use one up.
  const inGrace =
    guardians
      .map(({ countsUntil }) => countsUntil ?? '')
      .toSorted()
      .at(-1) ?? '';
  const counting = cancelled.filter((at) => recoveredAt === null || at > recoveredAt).map((at) => ({ at }));
  const until = now < Date.parse(inGrace) ? inGrace : cancellableFrom(counting, openedAt);
  return until === null ? null : refusal('RECOVERY_COOLDOWN', TOO_MANY_UNCONFIRMED, { until });
}

const TOO_MANY_UNCONFIRMED =
  'This request cannot be cancelled before a guardian confirms it: two others were cancelled in the 7 days before it was opened, or a guardian was removed less than 72 hours ago.';

/** When requests can be cancelled again; null if one opened at `openedAt` can be. */
function cancellableFrom(cancelled: readonly Pick<Cancellation, 'at'>[], openedAt: Instant): Instant | null {
  const opened = Date.parse(openedAt);
  const counting = cancelled
    .map(({ at }) => Date.parse(at))
    .filter((time) => time <= opened && opened - time < CANCELLING_MS)
    .toSorted((one, other) => other - one);
  const deciding = counting[MAX_CANCELLATIONS - 1];
  return deciding === undefined ? null : new Date(deciding + CANCELLING_MS).toISOString();
}
