import { z } from 'zod';
import type { Beo } from '../entities/beo.ts';
import type { Instant } from '../entities/recorded.ts';

/** The function of the first entry after a restore; only the relayer signs it. Protocol §10. */
export const BEGIN_EPOCH = 'beginEpoch';

/** Made when it is needed: a bundle that only needs the constant above contains no zod. */
const beginning = () =>
  z.strictObject({
    function: z.literal(BEGIN_EPOCH),
    epoch: z.int().min(2),
    last: z.int().nonnegative(),
  });

/** `last` is the seq of the last entry that the new epoch includes; later entries of older epochs are abandoned. */
export type EpochBeginning = z.infer<ReturnType<typeof beginning>>;

export const epochBeginning = (epoch: number, last: number): EpochBeginning => ({
  function: BEGIN_EPOCH,
  epoch,
  last,
});

/** Null if the message is not one of a beginEpoch entry. */
export const readEpochBeginning = (message: unknown): EpochBeginning | null =>
  beginning().safeParse(message).data ?? null;

/**
 * An identity at the start of an epoch: links cannot be restored, so open invitations become EXPIRED and recovery requests are
 * removed (§10). Null if nothing changes. Institutions need no such change: they send no invitations.
 */
export function beginEpochFor(beo: Beo, at: Instant): Beo | null {
  const { guardians, requests } = beo.recovery;
  if (requests.length === 0 && !guardians.some(({ status }) => status === 'PENDING')) return null;
  const ended = guardians.map((guardian) =>
    guardian.status === 'PENDING' ? { ...guardian, status: 'EXPIRED' as const } : guardian,
  );
  return { ...beo, updatedAt: at, recovery: { ...beo.recovery, guardians: ended, requests: [] } };
}
