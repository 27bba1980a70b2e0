import { refusal } from '../errors.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** LOCKED → ACTIVE. Protocol §3. */
export const unlockIEO = defineIeoKeyOperation<{ ieoId: string }>()({
  name: 'unlockIEO',
  function: 'unlockIEO',
  routes: [{ method: 'POST', path: '/api/ieo/unlock', limit: 'relayer' }],
  shape: {},
  statuses: ['ACTIVE', 'LOCKED'],
  publicFacts: ({ fields }) => fields,
  change(ieo, _, at) {
    if (ieo.status !== 'LOCKED') throw refusal('NOT_LOCKED', 'The institution is not locked.');
    return { changes: [{ ...ieo, status: 'ACTIVE', lockedAt: null, updatedAt: at }] };
  },
  answer: (_, { acceptedAt }) => ({ unlocked_at: acceptedAt }),
});
