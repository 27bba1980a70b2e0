import { type ProtocolError, refusal } from './errors.ts';
import type { GuardianId, GuardianRole, InvitationId } from './ids.ts';
import type { Instant } from './recorded.ts';

export const THRESHOLD = 2;
export const MAX_GUARDIANS = 3;
export const INVITATION_MS = 72 * 3_600_000;

export interface Guardian {
  readonly guardianId: GuardianId;
  readonly invitationId: InvitationId;
  readonly role: GuardianRole;
  /** What the holder bound in the configuration, or what the guardian registered; hex. */
  readonly publicKey: string | null;
  readonly status: 'PENDING' | 'ACTIVE' | 'REMOVED' | 'EXPIRED';
  readonly addedAt: Instant;
  readonly acceptedAt: Instant | null;
  /** When the holder signed for the key in public, by confirmGuardian. */
  readonly confirmedAt: Instant | null;
  /** When the holder named the key in a configuration: sealed, so that the ledger shows no signature for it. */
  readonly namedAt: Instant | null;
  readonly removedAt: Instant | null;
  /** Until when a guardian counts whom the holder's key has unseated. See social-recovery.ts. */
  readonly countsUntil: Instant | null;
}

export interface Recovery {
  readonly enabled: boolean;
  readonly guardians: readonly Guardian[];
}

export const NO_RECOVERY: Recovery = { enabled: false, guardians: [] };

/**
 * A recovery configuration as every read answers it (protocol §3). `now` in ms decides which invitations have run out and
 * which removed guardians are past; null where nobody was invited.
 */
export function recoveryView(recovery: Recovery, now: number | null) {
  const shown = recovery.guardians.filter(({ status, countsUntil }) => {
    return status !== 'REMOVED' || (now !== null && countsUntil !== null && now < Date.parse(countsUntil));
  });
  return {
    enabled: recovery.enabled,
    threshold: THRESHOLD,
    guardians: shown.map((guardian) => ({
      guardian_id: guardian.guardianId,
      role: guardian.role,
      public_key: guardian.publicKey,
      status: now !== null && invitationLapsed(guardian, now) ? ('EXPIRED' as const) : guardian.status,
      accepted: guardian.acceptedAt !== null,
      confirmed: isConfirmed(guardian),
      added_at: guardian.addedAt,
      accepted_at: guardian.acceptedAt,
    })),
  };
}

/** Whether the holder has signed for the key that the guardian registered, in a configuration or by confirmGuardian. Protocol §3. */
export const isConfirmed = ({
  acceptedAt,
  confirmedAt,
  namedAt,
}: Pick<Guardian, 'acceptedAt' | 'confirmedAt' | 'namedAt'>): boolean =>
  acceptedAt !== null && (confirmedAt !== null || namedAt !== null);

export const invitationEnds = (addedAt: Instant): Instant =>
  new Date(Date.parse(addedAt) + INVITATION_MS).toISOString();

const invitationLapsed = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'PENDING' && now >= Date.parse(invitationEnds(guardian.addedAt));

/** Whether a guardian holds its place: invited and still able to accept, or accepted. */
export const isPresent = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'ACTIVE' || (guardian.status === 'PENDING' && !invitationLapsed(guardian, now));

/** Why an invitation cannot be accepted at `now` (ms), or null; undefined stands for a guardian who is no more. */
export function invitationProblem(guardian: Guardian | undefined, now: number): ProtocolError | null {
  if (!guardian || (guardian.status === 'REMOVED' && guardian.acceptedAt === null)) {
    const sentence = 'The invitation was withdrawn, or replaced by another one.';
    return refusal('LINK_EXPIRED', sentence, { reason: 'SUPERSEDED' });
  }
  if (guardian.acceptedAt !== null) return refusal('LINK_USED', 'This invitation was accepted already.');
  if (guardian.status === 'EXPIRED' || invitationLapsed(guardian, now)) {
    return refusal('LINK_EXPIRED', 'The invitation was open for 72 hours and has expired.', {
      expires_at: invitationEnds(guardian.addedAt),
    });
  }
  return null;
}

/** What an operation on one guardian is answered with. Protocol §4. */
export function guardianAnswer(
  { domain, recovery }: { readonly domain: string | null; readonly recovery: Recovery },
  meant: (guardian: Guardian) => boolean,
) {
  const guardian = recovery.guardians.find(meant);
  if (!guardian) throw refusal('INTERNAL');
  const { guardianId, role, status } = guardian;
  return { guardian_id: guardianId, role, status, beo_domain: domain };
}
