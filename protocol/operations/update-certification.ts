import { z } from 'zod';
import { newCertification } from '../entities/decision.ts';
import { CERT_LEVELS, ieoView } from '../entities/ieo.ts';
import { type Intent, intentOf } from '../entities/intents.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { category, intents, uniqueList } from '../records/scope.ts';
import { entityReference, instant, oneOf } from '../shapes.ts';
import { requireIeoIn } from './ieo-key-operation.ts';
import { defineInstituteOperation } from './institute-operation.ts';

const fields = z.strictObject({
  ieoId: entityReference,
  level: oneOf(CERT_LEVELS),
  categories: uniqueList(category, 'categories').nullish(),
  intents: intents.nullish(),
  expiresAt: instant.nullish(),
});
type Fields = z.infer<typeof fields>;
type PublicFacts = Omit<Fields, 'intents'> & { readonly intents: readonly Intent[] | undefined };

/** An institute key sets the certification of an institution: level, restrictions and end. Effective at once. Protocol §4. */
export const updateCertification = defineInstituteOperation<Fields, PublicFacts>()({
  name: 'updateCertification',
  function: 'updateCertification',
  title: 'Certify an institution',
  routes: [{ method: 'POST', path: '/api/ieo/certification', limit: 'relayer' }],
  status: 200,
  fields,
  subjects: { institution: { kind: 'IEO', field: 'ieoId' } },
  about: { role: 'institution' },
  events: ['ieo.certification_changed'],
  publicFacts: (fields) => ({ ...fields, intents: fields.intents?.map(intentOf) }),
  transition(entities, { entityId, publicFacts, acceptedAt }) {
    const ieo = requireIeoIn(['ACTIVE', 'LOCKED', 'SUSPENDED'], entities, entityId);
    return { changes: [{ ...ieo, certification: newCertification(publicFacts, acceptedAt), updatedAt: acceptedAt }] };
  },
  errors: ['IEO_NOT_ACTIVE'],
  response: z.object({ ieo: views.ieo }),
  answer({ entityId, entities }) {
    const ieo = entities.get('IEO', entityId);
    if (!ieo) throw refusal('INTERNAL');
    return { ieo: ieoView(ieo, 'ACCEPTED') };
  },
});
