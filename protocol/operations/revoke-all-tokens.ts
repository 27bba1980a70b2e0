import * as views from '../entities/views.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Revokes every live consent of a holder, for emergencies. Protocol §3. */
export const revokeAllTokens = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'revokeAllTokens',
  function: 'revokeAllTokens',
  title: 'Withdraw all consents',
  reserved: true,
  routes: [
    { method: 'POST', path: '/api/relayer/beo/revoke-all', limit: 'relayer' },
    { method: 'DELETE', path: '/api/consent/all', limit: 'consent' },
  ],
  shape: {},
  publicFacts: ({ fields }) => fields,
  events: ['consent.revoked'],
  change: (beo, { acceptedAt }) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }],
    revocation: { beoId: beo.id, at: acceptedAt },
  }),
  response: views.revokedCount,
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
