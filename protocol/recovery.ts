import { z } from 'zod';
import { refusal } from './errors.ts';
import { type Guardian, NO_RECOVERY, type Recovery } from './guardian.ts';
import { type DerivedIds, GUARDIAN_ROLES, type GuardianId, type InvitationId } from './ids.ts';
import type { PrivateRow } from './operation.ts';
import type { Instant } from './recorded.ts';
import { boundKey, type RecoveryFields } from './shapes.ts';

const publicGuardian = z.strictObject({
  guardian_id: z.string().transform((id) => id as GuardianId),
  invitation_id: z.string().transform((id) => id as InvitationId),
  role: z.enum(GUARDIAN_ROLES),
  public_key: z.string().nullable(),
});

/** The guardians of a configuration as the ledger shows them: no name, no contact. Protocol §10. */
export const publicGuardians = z.array(publicGuardian);
export type PublicGuardian = z.infer<typeof publicGuardian>;

/** The keys that a configuration binds its guardians to, as they were sent. */
export const recoveryKeys = (recovery: RecoveryFields | null): string[] =>
  (recovery?.guardians ?? []).flatMap(({ public_key }) => boundKey(public_key) ?? []);

/** Where the vault keeps the name and contact of a guardian. */
export const guardianRow = (guardianId: GuardianId): string => `guardian:${guardianId}`;

/** Splits a configuration into what the ledger may show and what only the vault keeps. */
export function splitRecovery(recovery: RecoveryFields, ids: DerivedIds) {
  const guardians = recovery.guardians.map((guardian): PublicGuardian => {
    const public_key = boundKey(guardian.public_key);
    return {
      guardian_id: ids.guardianId(guardian.role),
      invitation_id: ids.invitationId(guardian.role),
      role: guardian.role,
      public_key,
    };
  });
  const rows = recovery.guardians.map(
    ({ role, name, contact }): PrivateRow => ({ id: guardianRow(ids.guardianId(role)), content: { name, contact } }),
  );
  return { guardians, enabled: recovery.enabled ?? true, rows };
}

/**
 * The recovery state that a configuration begins: every guardian PENDING.
 * @throws PUBLIC_KEY_TAKEN where a guardian's key is the holder's or another guardian's: one person cannot be two.
 */
export function invitedRecovery(
  guardians: readonly PublicGuardian[],
  enabled: boolean,
  holderKey: string,
  at: Instant,
): Recovery {
  const keys = [holderKey];
  for (const { public_key, role } of guardians) {
    if (public_key === null) continue;
    if (keys.includes(public_key)) {
      throw refusal('PUBLIC_KEY_TAKEN', `The key of the ${role} guardian already stands for somebody else.`, { role });
    }
    keys.push(public_key);
  }
  if (guardians.length === 0) return { ...NO_RECOVERY, enabled };
  return {
    enabled,
    guardians: guardians.map(
      (guardian): Guardian => ({
        guardianId: guardian.guardian_id,
        invitationId: guardian.invitation_id,
        role: guardian.role,
        publicKey: guardian.public_key,
        status: 'PENDING',
        addedAt: at,
        acceptedAt: null,
        confirmedAt: null,
      }),
    ),
  };
}
