import type { GuardianId, GuardianRole, InvitationId } from './ids.ts';
import type { Instant } from './recorded.ts';

export const THRESHOLD = 2;
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
  readonly confirmedAt: Instant | null;
}

export interface Recovery {
  readonly enabled: boolean;
  readonly guardians: readonly Guardian[];
}

export const NO_RECOVERY: Recovery = { enabled: false, guardians: [] };

/**
 * A recovery configuration as every read answers it (protocol §3). `now` in ms decides which invitations have run out; null
 * where nobody was invited.
 */
export function recoveryView(recovery: Recovery, now: number | null) {
  return {
    enabled: recovery.enabled,
    threshold: THRESHOLD,
    guardians: recovery.guardians.map((guardian) => ({
      guardian_id: guardian.guardianId,
      role: guardian.role,
      public_key: guardian.publicKey,
      status: now !== null && invitationLapsed(guardian, now) ? ('EXPIRED' as const) : guardian.status,
      accepted: guardian.acceptedAt !== null,
      confirmed: guardian.confirmedAt !== null,
      added_at: guardian.addedAt,
      accepted_at: guardian.acceptedAt,
    })),
  };
}

export const invitationEnds = (addedAt: Instant): Instant =>
  new Date(Date.parse(addedAt) + INVITATION_MS).toISOString();

const invitationLapsed = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'PENDING' && now >= Date.parse(invitationEnds(guardian.addedAt));
