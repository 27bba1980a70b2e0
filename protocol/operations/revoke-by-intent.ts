import type { Intent } from '../entities/intents.ts';
import * as views from '../entities/views.ts';
import { intent } from '../records/scope.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';
import { revokedCount, revokedTokens, tokensOfHolder } from './revoked-tokens.ts';

/** Revokes every live consent of a holder whose scope includes an intent. Protocol §3. */
export const revokeByIntent = defineBeoKeyOperation<{ beoId: string; intent: Intent }>()({
  name: 'revokeByIntent',
  function: 'revokeByIntent',
  title: 'Withdraw all consents with one intent',
  reserved: true,
  routes: [{ method: 'DELETE', path: '/api/consent/intent/:intent', limit: 'consent', takes: { intent: 'intent' } }],
  shape: { intent },
  publicFacts: ({ fields }) => fields,
  events: ['consent.revoked'],
  touches: tokensOfHolder,
  change: (beo, { publicFacts: { intent }, acceptedAt }, entities) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }, ...revokedTokens(entities, { beoId: beo.id, intent }, acceptedAt)],
  }),
  response: views.revokedCount,
  answer: revokedCount,
});
