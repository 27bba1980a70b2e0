import { z } from 'zod';
import { withoutRequest } from '../entities/cancelled-requests.ts';
import { expiringRows, recoveryRow } from '../entities/recovery.ts';
import { confirmationsOf } from '../entities/social-recovery.ts';
import { time, uuid as uuidText } from '../response-shapes.ts';
import { uuid } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/**
 * The holder's key closes a recovery request; also while LOCKED. It is an entry only if a guardian has confirmed the request. A request that was opened after two
 * cancellations within 7 days stays open, so that a thief of the key cannot prevent every recovery. An extension. Protocol §3.
 */
export const cancelRecovery = defineBeoKeyOperation<{ beoId: string; requestId: string }>()({
  name: 'cancelRecovery',
  function: 'cancelRecovery',
  title: 'Cancel a recovery',
  reserved: true,
  mayNeedNoEntry: true,
  routes: [{ method: 'POST', path: '/api/relayer/beo/cancel-recovery', limit: 'relayer' }],
  shape: { requestId: uuid },
  publicFacts: ({ fields: { beoId, requestId } }) => ({ beoId, requestId: requestId.toLowerCase() }),

  change(beo, { publicFacts: { requestId }, acceptedAt: at }) {
    const { recovery: before } = beo;
    const after = withoutRequest(before, requestId, at);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: before.guardians.map(({ guardianId }) => recoveryRow(requestId, guardianId)),
      rowsToExpire: expiringRows(after.guardians),
      // Those who confirmed may have been deceived, or the holder may not be the one who cancelled.
      notices: confirmationsOf(before, requestId).map(({ guardianId }) => ({
        kind: 'cancelled',
        beoId: beo.id,
        guardianId,
        requestId,
      })),
    };
  },

  errors: ['NOT_FOUND', 'REQUEST_CLOSED', 'RECOVERY_COOLDOWN'],
  response: z.object({ request_id: uuidText, cancelled_at: time }),
  answer: (_, { publicFacts: { requestId }, acceptedAt }) => ({ request_id: requestId, cancelled_at: acceptedAt }),
});
