import type { z } from 'zod';
import { type Intent, intentOf } from '../entities/intents.ts';
import * as views from '../entities/views.ts';
import { intent } from '../records/scope.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

interface PublicFacts {
  readonly beoId: string;
  readonly intent: Intent;
}

type Fields = Omit<PublicFacts, 'intent'> & { readonly intent: z.infer<typeof intent> };

/** Revokes every live consent of a holder whose scope includes an intent. Protocol §3. */
export const revokeByIntent = defineBeoKeyOperation<Fields, PublicFacts>()({
  name: 'revokeByIntent',
  function: 'revokeByIntent',
  title: 'Withdraw all consents with one intent',
  reserved: true,
  routes: [{ method: 'DELETE', path: '/api/consent/intent/:intent', limit: 'consent', takes: { intent: 'intent' } }],
  shape: { intent },
  publicFacts: ({ fields: { beoId, intent } }) => ({ beoId, intent: intentOf(intent) }),
  events: ['consent.revoked'],
  change: (beo, { publicFacts: { intent }, acceptedAt }) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }],
    revocation: { beoId: beo.id, intent, at: acceptedAt },
  }),
  response: views.revokedCount,
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
