import * as views from '../entities/views.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';
import { revokedCount, revokedTokens, tokensOfHolder } from './revoked-tokens.ts';

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
  touches: tokensOfHolder,
  change: (beo, { acceptedAt }, entities) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }, ...revokedTokens(entities, { beoId: beo.id }, acceptedAt)],
  }),
  response: views.revokedCount,
  answer: revokedCount,
});
