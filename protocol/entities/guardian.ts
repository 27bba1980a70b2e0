import type { z } from 'zod';
import type { GuardianId, InvitationId } from '../ids.ts';
import type { Instant } from './recorded.ts';
import type * as views from './views.ts';

export const GUARDIAN_ROLES = ['primary', 'secondary', 'tertiary'] as const;
export type GuardianRole = (typeof GUARDIAN_ROLES)[number];

export const THRESHOLD = 2;
export const MAX_GUARDIANS = 3;
export const INVITATION_MS = 72 * 3_600_000;

export interface Guardian {
  readonly guardianId: GuardianId;
  readonly invitationId: InvitationId;
  readonly role: GuardianRole;
  /** The key that the holder bound in the configuration or that the guardian registered, hex. */
  readonly publicKey: string | null;
  readonly status: 'PENDING' | 'ACTIVE' | 'REMOVED' | 'EXPIRED';
  readonly addedAt: Instant;
  readonly acceptedAt: Instant | null;
  /** When the holder confirmed the key with confirmGuardian, which is public. */
  readonly confirmedAt: Instant | null;
  /** When the holder named the key in a configuration. That entry is sealed: the ledger shows no signature for the key. */
  readonly namedAt: Instant | null;
  readonly removedAt: Instant | null;
  /** End of the grace period of a guardian that the holder's key removed or made ineligible. See social-recovery.ts. */
  readonly countsUntil: Instant | null;
}

export interface Recovery {
  readonly enabled: boolean;
  readonly guardians: readonly Guardian[];
}

export const NO_RECOVERY: Recovery = { enabled: false, guardians: [] };

/**
 * A recovery configuration as the API returns it (protocol §3). `now` (ms) determines which invitations have expired and which
 * removed guardians are still in their grace period; null for institutions, which send no invitations.
 */
export function recoveryView(recovery: Recovery, now: number | null): z.output<typeof views.recovery> {
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

/** Whether the holder signed the key that the guardian registered, in a configuration or with confirmGuardian. Protocol §3. */
export const isConfirmed = ({
  acceptedAt,
  confirmedAt,
  namedAt,
}: Pick<Guardian, 'acceptedAt' | 'confirmedAt' | 'namedAt'>): boolean =>
  acceptedAt !== null && (confirmedAt !== null || namedAt !== null);

export const invitationEnds = (addedAt: Instant): Instant =>
  new Date(Date.parse(addedAt) + INVITATION_MS).toISOString();

/** Whether an invitation has expired without an answer. */
export const invitationLapsed = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'PENDING' && now >= Date.parse(invitationEnds(guardian.addedAt));

/** Whether a guardian occupies its role: ACTIVE, or PENDING with an invitation that has not expired. */
export const isPresent = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'ACTIVE' || (guardian.status === 'PENDING' && !invitationLapsed(guardian, now));
