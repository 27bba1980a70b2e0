import { z } from 'zod';
import { NO_RECOVERY } from '../entities/guardian.ts';
import { NO_CONTACTS, UNCERTIFIED } from '../entities/ieo.ts';
import { time } from '../response-shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/**
 * Permanent erasure of names, key, contacts, recovery and vault; the domain is never assigned again. The tokens end with the
 * institution without a change of their own: see tokenState. Protocol §2, §3.
 */
export const destroyIEO = defineIeoKeyOperation<{ ieoId: string }>()({
  name: 'destroyIEO',
  function: 'destroyIEO',
  title: 'Destroy an institution',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/ieo/destroy', limit: 'relayer' }],
  shape: {},
  statuses: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
  publicFacts: ({ fields }) => fields,
  events: ['ieo.status_changed'],
  change: (ieo, _, at) => ({
    changes: [
      {
        ...ieo,
        status: 'DESTROYED',
        displayName: null,
        country: null,
        jurisdiction: null,
        legalId: null,
        publicKey: null,
        lockedAt: null,
        updatedAt: at,
        certification: UNCERTIFIED,
        contacts: NO_CONTACTS,
        recovery: NO_RECOVERY,
      },
    ],
    vaultsToErase: [ieo.id],
  }),
  response: z.object({ destroyed_at: time }),
  answer: (_, { acceptedAt }) => ({ destroyed_at: acceptedAt }),
});
