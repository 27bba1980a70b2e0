import { intent } from '../scope.ts';
import type { Intent } from '../token.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Every live consent of a holder that allows one intent ends, whatever else it allows. Protocol §3. */
export const revokeByIntent = defineBeoKeyOperation<{ beoId: string; intent: Intent }>({
  name: 'revokeByIntent',
  function: 'revokeByIntent',
  routes: [{ method: 'DELETE', path: '/api/consent/intent/:intent', limit: 'consent', takes: { intent: 'intent' } }],
  shape: { intent },
  known: ({ fields }) => fields,
  change: (beo, { known: { intent }, acceptedAt }) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }],
    revokes: { beoId: beo.id, intent },
  }),
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
