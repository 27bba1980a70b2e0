import { z } from 'zod';
import { normalDomain } from '../domains.ts';
import { claimName, requireNewName } from '../entities/entities.ts';
import { NO_RECOVERY } from '../entities/guardian.ts';
import {
  IEO_TYPE_NAMES,
  IEO_TYPES,
  type IeoType,
  ieoTypeOf,
  ieoView,
  NO_CONTACTS,
  UNCERTIFIED,
} from '../entities/ieo.ts';
import { UNORDERED } from '../entities/recorded.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import type { IeoId } from '../ids.ts';
import { defineOperation } from '../operation.ts';
import { domain as domainName, uuid } from '../response-shapes.ts';
import { domain, publicKey, publicName, publicText } from '../shapes.ts';
import { misleadingNameProblem } from './misleading-name.ts';

const place = publicText(60).nullish();

const fields = z.strictObject({
  domain,
  ieoType: z.enum(IEO_TYPE_NAMES, { error: `must be one of ${IEO_TYPES.join(', ')}` }),
  displayName: publicName(2, 120),
  publicKey,
  country: place,
  jurisdiction: place,
  legalId: place,
});

interface PublicFacts {
  readonly domain: string;
  readonly ieoType: IeoType;
  readonly displayName: string;
  readonly publicKey: string;
  readonly country: string | null;
  readonly jurisdiction: string | null;
  readonly legalId: string | null;
}

/** Creates an institution's identity with a domain and a key. It is uncertified at first. Protocol §1, §3. */
export const createIEO = defineOperation<z.infer<typeof fields>, PublicFacts>()({
  name: 'createIEO',
  function: 'createIEO',
  title: 'Create an institution',
  routes: [{ method: 'POST', path: '/api/ieo', limit: 'relayer' }],
  status: 201,
  fields,
  subjects: {},
  about: { creates: 'IEO' },
  signer: { field: 'publicKey' },
  expectedKey: 'publicKey',
  introduces: ({ publicKey, domain }) => ({ keys: [publicKey], domains: [domain] }),
  examine: ({ displayName }, _, ownNames) => misleadingNameProblem('displayName', displayName, ownNames),

  publicFacts: ({ fields }) => ({
    domain: normalDomain(fields.domain),
    ieoType: ieoTypeOf(fields.ieoType),
    displayName: fields.displayName,
    publicKey: fields.publicKey.toLowerCase(),
    country: fields.country || null,
    jurisdiction: fields.jurisdiction || null,
    legalId: fields.legalId || null,
  }),
  touches: ({ publicFacts }) => [{ kind: 'NAME', id: publicFacts.domain }],

  transition(entities, { entityId, publicFacts, acceptedAt }) {
    const id = entityId as IeoId;
    return {
      changes: [
        claimName(entities, publicFacts.domain, { kind: 'IEO', id }, acceptedAt),
        {
          kind: 'IEO',
          id,
          ...publicFacts,
          keyVersion: 1,
          status: 'ACTIVE',
          createdAt: acceptedAt,
          updatedAt: acceptedAt,
          lockedAt: null,
          certification: UNCERTIFIED,
          contacts: NO_CONTACTS,
          recovery: NO_RECOVERY,
          ...UNORDERED,
        },
      ],
    };
  },

  admit: (entities, { publicFacts }) => requireNewName(entities, publicFacts.domain),

  errors: ['PUBLIC_KEY_INVALID', 'DOMAIN_INVALID', 'DOMAIN_RESERVED', 'DOMAIN_TAKEN'],
  response: z.object({ ieo_id: uuid, domain: domainName, ieo: views.ieo }),
  answer({ entityId, entities }) {
    const ieo = entities.get('IEO', entityId);
    if (!ieo) throw refusal('INTERNAL');
    return { ieo_id: ieo.id, domain: ieo.domain, ieo: ieoView(ieo, 'ACCEPTED') };
  },
});
