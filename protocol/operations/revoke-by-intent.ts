import { revokedCount, revokedTokens, tokensOfHolder } from '../entities/revocation.ts';
import type { Intent } from '../entities/token.ts';
import { intent } from '../records/scope.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Revokes every live consent of a holder whose scope includes an intent. Protocol §3. */
export const revokeByIntent = defineBeoKeyOperation<{ beoId: string; intent: Intent }>()({
  name: 'revokeByIntent',
  function: 'revokeByIntent',
  routes: [{ method: 'DELETE', path: '/api/consent/intent/:intent', limit: 'consent', takes: { intent: 'intent' } }],
  shape: { intent },
  publicFacts: ({ fields }) => fields,
  touches: tokensOfHolder,
  change: (beo, { publicFacts: { intent }, acceptedAt }, entities) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }, ...revokedTokens(entities, { beoId: beo.id, intent }, acceptedAt)],
  }),
  answer: revokedCount,
});
