import * as views from '../entities/views.ts';
import { entityReference } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Revokes every live consent of a holder to one grantee, whatever the grantee's status. Protocol §3. */
export const revokeAllFromIEO = defineBeoKeyOperation<{ beoId: string; ieoId: string }>()({
  name: 'revokeAllFromIEO',
  function: 'revokeAllFromIEO',
  title: 'Withdraw all consents to one grantee',
  reserved: true,
  routes: [
    { method: 'DELETE', path: '/api/consent/ieo/:ieo_domain', limit: 'consent', takes: { ieo_domain: 'ieoId' } },
  ],
  shape: { ieoId: entityReference },
  publicFacts: ({ fields }) => fields,
  events: ['consent.revoked'],
  subjects: { grantee: { kind: 'IEO', field: 'ieoId', orRole: 'holder', mayBeDestroyed: true } },
  change: (beo, { acceptedAt, subjects }) => ({
    changes: [{ ...beo, updatedAt: acceptedAt }],
    revocation: { beoId: beo.id, granteeId: subjects.grantee ?? '', at: acceptedAt },
  }),
  response: views.revokedCount,
  answer: (_, { revokedCount }) => ({ revoked_count: revokedCount }),
});
