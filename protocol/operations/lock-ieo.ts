import { z } from 'zod';
import { refusal } from '../errors.ts';
import { time } from '../response-shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** Emergency lock: ACTIVE → LOCKED. Protocol §3. */
export const lockIEO = defineIeoKeyOperation<{ ieoId: string }>()({
  name: 'lockIEO',
  function: 'lockIEO',
  title: 'Lock an institution',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/ieo/lock', limit: 'relayer' }],
  shape: {},
  statuses: ['ACTIVE', 'LOCKED'],
  publicFacts: ({ fields }) => fields,
  events: ['ieo.status_changed'],
  change(ieo, _, at) {
    if (ieo.status === 'LOCKED') {
      throw refusal('ALREADY_LOCKED', 'The institution is already locked.', { locked_at: ieo.lockedAt });
    }
    return { changes: [{ ...ieo, status: 'LOCKED', lockedAt: at, updatedAt: at }] };
  },
  errors: ['ALREADY_LOCKED'],
  response: z.object({ locked_at: time }),
  answer: (_, { acceptedAt }) => ({ locked_at: acceptedAt }),
});
