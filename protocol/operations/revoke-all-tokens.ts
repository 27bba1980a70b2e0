import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Emergency: every live consent of a holder ends at once. Protocol §3. */
export const revokeAllTokens = defineBeoKeyOperation<{ beoId: string }>({
  name: 'revokeAllTokens',
  function: 'revokeAllTokens',
  routes: [
    { method: 'POST', path: '/api/relayer/beo/revoke-all', limit: 'relayer' },
    { method: 'DELETE', path: '/api/consent/all', limit: 'consent' },
  ],
  shape: {},
  known: ({ fields }) => fields,
  change: (beo, { acceptedAt }) => ({ changes: [{ ...beo, updatedAt: acceptedAt }], revokes: { beoId: beo.id } }),
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
