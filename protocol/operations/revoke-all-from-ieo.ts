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
  known: ({ fields }) => fields,
  subjects: { grantee: { kind: 'IEO', field: 'ieoId', orRole: 'holder', evenDestroyed: true } },
  change: (beo, { acceptedAt, subjects }) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }],
    revokes: { beoId: beo.id, granteeId: subjects.grantee ?? '' },
  }),
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
