import { z } from 'zod';
import { refusal } from '../errors.ts';
import { time } from '../response-shapes.ts';
import { reason } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Emergency lock: ACTIVE → LOCKED. The reason is a hint and is not recorded. Protocol §3. */
export const lockBEO = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'lockBEO',
  function: 'lockBEO',
  title: 'Lock an identity',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/relayer/beo/lock', limit: 'relayer' }],
  shape: {},
  hints: { reason },
  publicFacts: ({ fields }) => fields,
  events: ['beo.locked'],
  change(beo, { acceptedAt: at }) {
    if (beo.status === 'LOCKED')
      throw refusal('ALREADY_LOCKED', 'The identity is already locked.', { locked_at: beo.lockedAt });
    return { changes: [{ ...beo, status: 'LOCKED', lockedAt: at, updatedAt: at }] };
  },
  errors: ['ALREADY_LOCKED'],
  response: z.object({ locked_at: time }),
  answer: (_, { acceptedAt: at }) => ({ locked_at: at }),
});
