import { refusal } from '../errors.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** Emergency lock: ACTIVE → LOCKED. Protocol §3. */
export const lockIEO = defineIeoKeyOperation<{ ieoId: string }>()({
  name: 'lockIEO',
  function: 'lockIEO',
  routes: [{ method: 'POST', path: '/api/ieo/lock', limit: 'relayer' }],
  shape: {},
  statuses: ['ACTIVE', 'LOCKED'],
  publicFacts: ({ fields }) => fields,
  change(ieo, _, at) {
    if (ieo.status === 'LOCKED') {
      throw refusal('ALREADY_LOCKED', 'The institution is already locked.', { locked_at: ieo.lockedAt });
    }
    return { changes: [{ ...ieo, status: 'LOCKED', lockedAt: at, updatedAt: at }] };
  },
  answer: (_, { acceptedAt }) => ({ locked_at: acceptedAt }),
});
