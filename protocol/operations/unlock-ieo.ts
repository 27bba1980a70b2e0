import { z } from 'zod';
import { refusal } from '../errors.ts';
import { time } from '../response-shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** LOCKED → ACTIVE. Protocol §3. */
export const unlockIEO = defineIeoKeyOperation<{ ieoId: string }>()({
  name: 'unlockIEO',
  function: 'unlockIEO',
  title: 'Unlock an institution',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/ieo/unlock', limit: 'relayer' }],
  shape: {},
  statuses: ['ACTIVE', 'LOCKED'],
  publicFacts: ({ fields }) => fields,
  events: ['ieo.status_changed'],
  change(ieo, _, at) {
    if (ieo.status !== 'LOCKED') throw refusal('NOT_LOCKED', 'The institution is not locked.');
    return { changes: [{ ...ieo, status: 'ACTIVE', lockedAt: null, updatedAt: at }] };
  },
  errors: ['NOT_LOCKED'],
  response: z.object({ unlocked_at: time }),
  answer: (_, { acceptedAt }) => ({ unlocked_at: acceptedAt }),
});
