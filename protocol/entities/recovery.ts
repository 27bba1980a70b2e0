import { z } from 'zod';
import { type ProtocolError, refusal } from '../errors.ts';
import type { GuardianId, InvitationId } from '../ids.ts';
import { GUARDIAN_ROLES, type Guardian, type GuardianRole, MAX_GUARDIANS, type Recovery } from './guardian.ts';
import type { Instant } from './recorded.ts';

/** A guardian as the ledger shows it: no name, no contact. Protocol §10. */
export const publicGuardian = z.strictObject({
  guardian_id: z.string().transform((id) => id as GuardianId),
  invitation_id: z.string().transform((id) => id as InvitationId),
  role: z.enum(GUARDIAN_ROLES),
  public_key: z.string().nullable(),
});

/** The ids are derived from a sealed signature, so that a replay can only check that they differ. */
export const publicGuardians = z
  .array(publicGuardian)
  .max(MAX_GUARDIANS)
  .refine((guardians) =>
    (['role', 'guardian_id', 'invitation_id'] as const).every(
      (member) => new Set(guardians.map((guardian) => guardian[member])).size === guardians.length,
    ),
  );
export type PublicGuardian = z.infer<typeof publicGuardian>;

/** The id of the vault row with the name and contact of a guardian. */
export const guardianRow = (guardianId: GuardianId): string => `guardian:${guardianId}`;

/** The id of the vault row with the day on which a guardian last checked its key. */
export const attestedRow = (guardianId: GuardianId): string => `attested:${guardianId}`;

export const activeGuardianWithKey = (key: string, guardians: readonly Guardian[]): Guardian | undefined =>
  guardians.find(({ status, publicKey }) => status === 'ACTIVE' && publicKey === key);

/** The id of the vault row with the token of an open invitation, for reminders. */
export const invitationRow = (invitationId: InvitationId): string => `invitation:${invitationId}`;

/** The id of the vault row with the token of a mailed recovery link, kept until the link is used or expires. */
export const recoveryRow = (requestId: string, guardianId: string): string => `recovery:${requestId}:${guardianId}`;

/** The ids of the vault rows that are deleted with a guardian. */
export const personRows = (guardianId: GuardianId): string[] => [guardianRow(guardianId), attestedRow(guardianId)];

/** The ids of the vault rows of guardians that are in `before` and not in `after`. */
export const obsoleteRows = (before: readonly Guardian[], after: readonly Guardian[]): string[] =>
  before
    .filter(({ guardianId }) => after.every((other) => other.guardianId !== guardianId))
    .flatMap(({ guardianId, invitationId }) => [...personRows(guardianId), invitationRow(invitationId)]);

/** When the vault rows of removed guardians are to be deleted: at the end of their grace period. */
export const expiringRows = (guardians: readonly Guardian[]): { readonly rowId: string; readonly at: Instant }[] =>
  guardians.flatMap(({ status, guardianId, countsUntil }) =>
    status === 'REMOVED' && countsUntil !== null
      ? personRows(guardianId).map((rowId) => ({ rowId, at: countsUntil }))
      : [],
  );

export const invitationOf = ({ guardian_id, invitation_id, role }: PublicGuardian) => ({
  guardianId: guardian_id,
  invitationId: invitation_id,
  role,
});

/** A new guardian: PENDING, invited at `at`. */
export const invitedGuardian = (guardian: PublicGuardian, at: Instant): Guardian => ({
  ...invitationOf(guardian),
  publicKey: guardian.public_key,
  status: 'PENDING',
  addedAt: at,
  acceptedAt: null,
  confirmedAt: null,
  namedAt: null,
  removedAt: null,
  countsUntil: null,
});

/** Whether a new guardian has an id of a present one. Ids are unique: otherwise a forged guardian could pass for a confirmed one. */
export const reusesId = (named: PublicGuardian, present: readonly Guardian[]): boolean =>
  present.some(
    ({ guardianId, invitationId }) => guardianId === named.guardian_id || invitationId === named.invitation_id,
  );

export const duplicateKeyError = (role: GuardianRole): ProtocolError =>
  refusal(
    'PUBLIC_KEY_TAKEN',
    `The key of the ${role} guardian is already the key of the holder or of another guardian; choose another key.`,
    { role },
  );

/** @throws PUBLIC_KEY_TAKEN if a guardian's key is the holder's or another guardian's: each confirmation needs another person */
export function requireDistinctKeys(guardians: readonly PublicGuardian[], holderKey: string | null): void {
  const keys = [holderKey];
  for (const { public_key, role } of guardians) {
    if (public_key === null) continue;
    if (keys.includes(public_key)) throw duplicateKeyError(role);
    keys.push(public_key);
  }
}

/** Whether a new configuration removes guardians or turns recovery off, and adds and changes nothing. Protocol §6. */
export function onlyRemoves(
  before: Recovery,
  after: { enabled: boolean; guardians: readonly PublicGuardian[] },
): boolean {
  if (after.enabled && !before.enabled) return false;
  const present = before.guardians.filter(({ status }) => status !== 'REMOVED');
  const isKept = (named: PublicGuardian): boolean =>
    present.some(
      ({ status, guardianId, role, publicKey }) =>
        status === 'ACTIVE' &&
        guardianId === named.guardian_id &&
        role === named.role &&
        (named.public_key === null || named.public_key === publicKey),
    );
  const isLess = after.guardians.length < present.length || before.enabled !== after.enabled;
  return isLess && after.guardians.every(isKept);
}

/**
 * The recovery state of a new configuration: every guardian is PENDING.
 * @throws PUBLIC_KEY_TAKEN
 */
export function invitedRecovery(
  guardians: readonly PublicGuardian[],
  enabled: boolean,
  holderKey: string,
  at: Instant,
): Recovery {
  requireDistinctKeys(guardians, holderKey);
  return { enabled, guardians: guardians.map((guardian) => invitedGuardian(guardian, at)) };
}
