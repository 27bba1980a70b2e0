import { z } from 'zod';
import type { Guardian } from '../entities/guardian.ts';
import {
  activeGuardianWithKey,
  expiringRows,
  invitedGuardian,
  obsoleteRows,
  onlyRemoves,
  type PublicGuardian,
  publicGuardians,
  requireDistinctKeys,
  reusesId,
} from '../entities/recovery.ts';
import { recallNames, recoveryKeys, splitRecovery } from '../entities/recovery-configuration.ts';
import {
  removedGuardian,
  requireNoCooldown,
  socialRecoveryView,
  withGracePeriods,
} from '../entities/social-recovery.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { withoutTimestamp } from '../operation.ts';
import { list } from '../response-shapes.ts';
import { nextRecovery, type RecoveryFields } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

interface Fields {
  readonly beoId: string;
  readonly recovery: RecoveryFields | null;
}

const sealedFacts = z.strictObject({
  timestamp: z.string(),
  beoId: z.string(),
  enabled: z.boolean(),
  guardians: publicGuardians,
});

type PublicFacts = Pick<z.infer<typeof sealedFacts>, 'beoId' | 'enabled' | 'guardians'>;

/**
 * A holder sets the guardians: ACTIVE guardians named by key or id stay, other named ones are invited, all others are removed with
 * a grace period of 72 hours. Sealed, because it contains names. Protocol §3, §4, §7.
 */
export const updateBEORecovery = defineBeoKeyOperation<Fields, PublicFacts>()({
  name: 'updateBEORecovery',
  function: 'updateRecovery',
  title: 'Set the guardians of an identity',
  routes: [{ method: 'POST', path: '/api/relayer/beo/recovery', limit: 'relayer' }],
  shape: { recovery: nextRecovery },
  mustBeUnlocked: true,
  reserved: (publicFacts, { holder }) => holder?.kind === 'BEO' && onlyRemoves(holder.recovery, publicFacts),
  introduces: ({ recovery }) => ({ keys: recoveryKeys(recovery), domains: [] }),
  publicFacts: ({ fields: { beoId } }) => ({ beoId, enabled: false, guardians: [] }),

  recalls: recallNames(({ holder }) => (holder?.kind === 'BEO' ? holder.recovery.guardians : [])),

  sealed: {
    publicFacts: sealedFacts.transform(withoutTimestamp),
    seal({ beoId, recovery }, ids, { holder }) {
      if (recovery === null) return null;
      const present = holder?.kind === 'BEO' ? holder.recovery.guardians : [];
      const { guardians, enabled, rows, invited, kept } = splitRecovery(recovery, ids, present);
      return { publicFacts: { beoId, enabled, guardians }, rows, invited, kept };
    },
  },

  change(beo, { publicFacts, acceptedAt: at }) {
    const { recovery: before } = beo;
    requireNoCooldown(before, at);
    requireDistinctKeys(publicFacts.guardians, beo.publicKey);
    const named = publicFacts.guardians.map((guardian) => keptOrInvited(guardian, before.guardians, at));
    const removed = before.guardians
      .filter(({ guardianId }) => named.every((guardian) => guardian.guardianId !== guardianId))
      .flatMap((guardian) => removedGuardian(guardian, at) ?? []);
    const after = withGracePeriods(
      before,
      { ...before, enabled: publicFacts.enabled, guardians: [...named, ...removed] },
      at,
    );
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: obsoleteRows(before.guardians, after.guardians),
      rowsToExpire: expiringRows(after.guardians),
    };
  },

  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'RECOVERY_THRESHOLD_INVALID', 'RECOVERY_COOLDOWN'],
  response: z.object({ recovery: views.socialRecovery, invitations: list(views.invitation) }),
  answer: ({ recovery }, { acceptedAt, invitations }) => ({
    recovery: socialRecoveryView(recovery, Date.parse(acceptedAt)),
    invitations,
  }),
});

/** @throws UNAVAILABLE if a guardian accepted or was removed after the identity was read and before the submission was ordered */
function keptOrInvited(named: PublicGuardian, present: readonly Guardian[], at: string): Guardian {
  const active =
    named.public_key === null
      ? present.find(({ status, guardianId }) => status === 'ACTIVE' && guardianId === named.guardian_id)
      : activeGuardianWithKey(named.public_key, present);
  if (active && active.guardianId === named.guardian_id && active.invitationId === named.invitation_id) {
    // If only the id is named, the holder has not signed the key.
    return {
      ...active,
      role: named.role,
      namedAt: named.public_key === null ? active.namedAt : (active.namedAt ?? at),
    };
  }
  if (active || reusesId(named, present)) {
    throw refusal('UNAVAILABLE', 'The guardians changed at the same moment; send the request again.');
  }
  return invitedGuardian(named, at);
}
