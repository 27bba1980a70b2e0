import { revokedCount, revokedTokens, tokensOfHolder } from '../entities/revocation.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Revokes every live consent of a holder, for emergencies. Protocol §3. */
export const revokeAllTokens = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'revokeAllTokens',
  function: 'revokeAllTokens',
  routes: [
    { method: 'POST', path: '/api/relayer/beo/revoke-all', limit: 'relayer' },
    { method: 'DELETE', path: '/api/consent/all', limit: 'consent' },
  ],
  shape: {},
  publicFacts: ({ fields }) => fields,
  touches: tokensOfHolder,
  change: (beo, { acceptedAt }, entities) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }, ...revokedTokens(entities, { beoId: beo.id }, acceptedAt)],
  }),
  answer: revokedCount,
});
