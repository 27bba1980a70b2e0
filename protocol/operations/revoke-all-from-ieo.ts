import { entityReference } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Every live consent of a holder to one grantee ends, whatever has become of the grantee. Protocol §3. */
export const revokeAllFromIEO = defineBeoKeyOperation<{ beoId: string; ieoId: string }>({
  name: 'revokeAllFromIEO',
  function: 'revokeAllFromIEO',
  routes: [
    { method: 'DELETE', path: '/api/consent/ieo/:ieo_domain', limit: 'consent', takes: { ieo_domain: 'ieoId' } },
  ],
  shape: { ieoId: entityReference },
  subjects: { grantee: { kind: 'IEO', field: 'ieoId', orRole: 'holder', evenDestroyed: true } },
  change: (beo, _, at, __, { grantee }) => ({
    changes: [{ ...beo, updatedAt: at }],
    revokes: { beoId: beo.id, granteeId: grantee ?? '' },
  }),
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
