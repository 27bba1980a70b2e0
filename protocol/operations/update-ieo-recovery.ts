import { z } from 'zod';
import { ieoView } from '../entities/ieo.ts';
import { guardianRow, invitedRecovery, onlyRemoves, publicGuardians } from '../entities/recovery.ts';
import { recallNames, recoveryKeys, splitRecovery } from '../entities/recovery-configuration.ts';
import * as views from '../entities/views.ts';
import { withoutTimestamp } from '../operation.ts';
import { nextRecovery, type RecoveryFields } from '../shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

interface Fields {
  readonly ieoId: string;
  readonly recovery: RecoveryFields | null;
}

const sealedFacts = z.strictObject({
  timestamp: z.string(),
  ieoId: z.string(),
  enabled: z.boolean(),
  guardians: publicGuardians,
});

type PublicFacts = Pick<z.infer<typeof sealedFacts>, 'ieoId' | 'enabled' | 'guardians'>;

/**
 * Sets the guardians of an institution. They are stored and returned but not invited: institutions cannot be recovered yet.
 * Sealed, because it contains names. Protocol §3, §7.
 */
export const updateIEORecovery = defineIeoKeyOperation<Fields, PublicFacts>()({
  name: 'updateIEORecovery',
  function: 'updateRecovery',
  title: 'Set the guardians of an institution',
  routes: [{ method: 'POST', path: '/api/ieo/recovery', limit: 'relayer' }],
  shape: { recovery: nextRecovery },
  statuses: ['ACTIVE'],
  reserved: (publicFacts, { institution }) =>
    institution?.kind === 'IEO' && onlyRemoves(institution.recovery, publicFacts),
  introduces: ({ recovery }) => ({ keys: recoveryKeys(recovery), domains: [] }),
  publicFacts: ({ fields: { ieoId } }) => ({ ieoId, enabled: false, guardians: [] }),
  recalls: recallNames(({ institution }) => (institution?.kind === 'IEO' ? institution.recovery.guardians : [])),
  sealed: {
    publicFacts: sealedFacts.transform(withoutTimestamp),
    seal(fields, ids, { institution }) {
      if (fields.recovery === null) return null;
      const present = institution?.kind === 'IEO' ? institution.recovery.guardians : [];
      const { guardians, enabled, rows } = splitRecovery(fields.recovery, ids, present);
      return { publicFacts: { ieoId: fields.ieoId, enabled, guardians }, rows, invited: [] };
    },
  },
  change: (ieo, { guardians, enabled }, at) => ({
    changes: [{ ...ieo, recovery: invitedRecovery(guardians, enabled, ieo.publicKey ?? '', at), updatedAt: at }],
    rowsToDelete: ieo.recovery.guardians.map(({ guardianId }) => guardianRow(guardianId)),
  }),
  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'RECOVERY_THRESHOLD_INVALID'],
  response: z.object({ ieo: views.ieo }),
  answer: (ieo) => ({ ieo: ieoView(ieo, 'ACCEPTED') }),
});
