import * as views from '../entities/views.ts';
import { entityReference } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';
import { revokedCount, revokedTokens, tokensOfHolder } from './revoked-tokens.ts';

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
  touches: tokensOfHolder,
  change: (beo, { acceptedAt, subjects }, entities) => ({
    changes: [
      { ...beo, updatedAt: acceptedAt },
      ...revokedTokens(entities, { beoId: beo.id, granteeId: subjects.grantee ?? '' }, acceptedAt),
    ],
  }),
  response: views.revokedCount,
  answer: revokedCount,
});
