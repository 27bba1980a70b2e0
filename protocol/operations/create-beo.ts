import { z } from 'zod';
import { normalDomain } from '../domains.ts';
import { beoView } from '../entities/beo.ts';
import { claimName, requireNewName } from '../entities/entities.ts';
import { UNRECORDED } from '../entities/recorded.ts';
import { invitedRecovery, publicGuardians } from '../entities/recovery.ts';
import { recoveryKeys, splitRecovery } from '../entities/recovery-configuration.ts';
import { NO_SOCIAL_RECOVERY } from '../entities/social-recovery.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import type { BeoId } from '../ids.ts';
import { defineOperation, withoutTimestamp } from '../operation.ts';
import { domain as domainName, list, uuid } from '../response-shapes.ts';
import { domain, publicKey, recovery } from '../shapes.ts';

const fields = z.strictObject({ domain, publicKey, recovery });

const sealedFacts = z.strictObject({
  timestamp: z.string(),
  domain: z.string(),
  publicKey: z.string(),
  enabled: z.boolean(),
  guardians: publicGuardians,
});

type PublicFacts = Omit<z.infer<typeof sealedFacts>, 'timestamp'>;

/** Creates a person's identity with a domain and a key. The message is sealed if it names guardians. Protocol §1, §3, §10. */
export const createBEO = defineOperation<z.infer<typeof fields>, PublicFacts>()({
  name: 'createBEO',
  function: 'createBEO',
  title: 'Create an identity',
  routes: [{ method: 'POST', path: '/api/relayer/beo', limit: 'relayer' }],
  status: 201,
  fields,
  subjects: {},
  about: { creates: 'BEO' },
  signer: { field: 'publicKey' },
  expectedKey: 'publicKey',

  introduces: (fields) => ({
    keys: [fields.publicKey, ...recoveryKeys(fields.recovery)],
    domains: [fields.domain],
  }),

  publicFacts: ({ fields }) => ({
    domain: normalDomain(fields.domain),
    publicKey: fields.publicKey.toLowerCase(),
    enabled: false,
    guardians: [],
  }),

  sealed: {
    publicFacts: sealedFacts.transform(withoutTimestamp),
    seal(fields, ids) {
      if (fields.recovery === null) return null;
      const { guardians, enabled, rows, invited } = splitRecovery(fields.recovery, ids);
      const publicKey = fields.publicKey.toLowerCase();
      return { publicFacts: { domain: normalDomain(fields.domain), publicKey, enabled, guardians }, rows, invited };
    },
  },

  touches: ({ publicFacts }) => [{ kind: 'NAME', id: publicFacts.domain }],

  transition(entities, { entityId, publicFacts, acceptedAt }) {
    const id = entityId as BeoId;
    return {
      changes: [
        claimName(entities, publicFacts.domain, { kind: 'BEO', id }, acceptedAt),
        {
          kind: 'BEO',
          id,
          domain: publicFacts.domain,
          publicKey: publicFacts.publicKey,
          keyVersion: 1,
          status: 'ACTIVE',
          createdAt: acceptedAt,
          updatedAt: acceptedAt,
          lockedAt: null,
          recovery:
            publicFacts.guardians.length > 0 || publicFacts.enabled
              ? {
                  ...NO_SOCIAL_RECOVERY,
                  ...invitedRecovery(publicFacts.guardians, publicFacts.enabled, publicFacts.publicKey, acceptedAt),
                }
              : NO_SOCIAL_RECOVERY,
          ...UNRECORDED,
        },
      ],
    };
  },

  admit: (entities, { publicFacts }) => requireNewName(entities, publicFacts.domain),

  errors: [
    'PUBLIC_KEY_INVALID',
    'PUBLIC_KEY_TAKEN',
    'DOMAIN_INVALID',
    'DOMAIN_RESERVED',
    'DOMAIN_TAKEN',
    'RECOVERY_THRESHOLD_INVALID',
  ],
  response: z.object({
    beo_id: uuid,
    domain: domainName,
    beo: views.beo,
    invitations: list(views.invitation),
  }),
  answer({ entityId, entities, publicFacts: { domain }, acceptedAt, invitations }) {
    const beo = entities.get('BEO', entityId);
    if (!beo) throw refusal('INTERNAL');
    return {
      beo_id: beo.id,
      domain,
      beo: beoView(beo, 'ACCEPTED', Date.parse(acceptedAt)),
      invitations,
    };
  },
});
