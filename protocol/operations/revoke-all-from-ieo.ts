import { revokedCount, revokedTokens, tokensOfHolder } from '../entities/revocation.ts';
import { entityReference } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Revokes every live consent of a holder to one grantee, whatever the grantee's status. Protocol §3. */
export const revokeAllFromIEO = defineBeoKeyOperation<{ beoId: string; ieoId: string }>()({
  name: 'revokeAllFromIEO',
  function: 'revokeAllFromIEO',
  routes: [
    { method: 'DELETE', path: '/api/consent/ieo/:ieo_domain', limit: 'consent', takes: { ieo_domain: 'ieoId' } },
  ],
  shape: { ieoId: entityReference },
  publicFacts: ({ fields }) => fields,
  subjects: { grantee: { kind: 'IEO', field: 'ieoId', orRole: 'holder', mayBeDestroyed: true } },
  touches: tokensOfHolder,
  change: (beo, { acceptedAt, subjects }, entities) => ({
    changes: [
      { ...beo, updatedAt: acceptedAt },
      ...revokedTokens(entities, { beoId: beo.id, granteeId: subjects.grantee ?? '' }, acceptedAt),
    ],
  }),
  answer: revokedCount,
});
