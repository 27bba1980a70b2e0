import { z } from 'zod';
import type { Beo } from './beo.ts';
import type { Instant } from './recorded.ts';

/** The function of the entry that a restore writes first; nobody but the relayer signs it. Protocol §10. */
export const BEGIN_EPOCH = 'beginEpoch';

const beginning = z.strictObject({
  function: z.literal(BEGIN_EPOCH),
  epoch: z.int().min(2),
  last: z.int().nonnegative(),
});

/** `last` is the seq of the last entry that the new epoch takes over; what follows it in older epochs is abandoned. */
export type EpochBeginning = z.infer<typeof beginning>;

export const epochBeginning = (epoch: number, last: number): EpochBeginning => ({
  function: BEGIN_EPOCH,
  epoch,
  last,
});

/** Null where the message is not that of a beginEpoch entry. */
export const readEpochBeginning = (message: unknown): EpochBeginning | null =>
  beginning.safeParse(message).data ?? null;

/**
 * What a new epoch does to an identity: links are not restorable, so every invitation still open is EXPIRED, and no request
 * for recovery goes on (§10). Null where nothing changes. (Nobody is invited by an institution.)
 */
export function beginEpochFor(beo: Beo, at: Instant): Beo | null {
  const { guardians, requests } = beo.recovery;
  if (requests.length === 0 && !guardians.some(({ status }) => status === 'PENDING')) return null;
  const ended = guardians.map((guardian) =>
    guardian.status === 'PENDING' ? { ...guardian, status: 'EXPIRED' as const } : guardian,
  );
  return { ...beo, updatedAt: at, recovery: { ...beo.recovery, guardians: ended, requests: [] } };
}
