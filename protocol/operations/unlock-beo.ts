import { z } from 'zod';
import { refusal } from '../errors.ts';
import { time } from '../response-shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** LOCKED → ACTIVE. Protocol §3. */
export const unlockBEO = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'unlockBEO',
  function: 'unlockBEO',
  title: 'Unlock an identity',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/relayer/beo/unlock', limit: 'relayer' }],
  shape: {},
  publicFacts: ({ fields }) => fields,
  events: ['beo.unlocked'],
  change(beo, { acceptedAt: at }) {
    if (beo.status !== 'LOCKED') throw refusal('NOT_LOCKED', 'The identity is not locked.');
    return { changes: [{ ...beo, status: 'ACTIVE', lockedAt: null, updatedAt: at }] };
  },
  errors: ['NOT_LOCKED'],
  response: z.object({ unlocked_at: time }),
  answer: (_, { acceptedAt: at }) => ({ unlocked_at: at }),
});
