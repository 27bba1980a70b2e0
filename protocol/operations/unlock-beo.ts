import { refusal } from '../errors.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** LOCKED → ACTIVE. Protocol §3. */
export const unlockBEO = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'unlockBEO',
  function: 'unlockBEO',
  routes: [{ method: 'POST', path: '/api/relayer/beo/unlock', limit: 'relayer' }],
  shape: {},
  publicFacts: ({ fields }) => fields,
  change(beo, { acceptedAt: at }) {
    if (beo.status !== 'LOCKED') throw refusal('NOT_LOCKED', 'The identity is not locked.');
    return { changes: [{ ...beo, status: 'ACTIVE', lockedAt: null, updatedAt: at }] };
  },
  answer: (_, { acceptedAt: at }) => ({ unlocked_at: at }),
});
