import { z } from 'zod';
import { normalDomain } from '../domains.ts';
import { beoView, NO_RECOVERY } from '../entities.ts';
import { refusal } from '../errors.ts';
import type { BeoId, TransactionId } from '../ids.ts';
import { defineOperation } from '../operation.ts';
import { invitedRecovery, publicGuardians, splitRecovery } from '../recovery.ts';
import { boundKey, domain, publicKey, recovery } from '../shapes.ts';

const fields = z.strictObject({ domain, publicKey, recovery });

const sealedFacts = z.strictObject({
  timestamp: z.string(),
  domain: z.string(),
  publicKey: z.string(),
  enabled: z.boolean(),
  guardians: publicGuardians,
});

type Known = Omit<z.infer<typeof sealedFacts>, 'timestamp'>;

/** A person takes a domain and a key. With guardians in it the message is sealed. Protocol §1, §3, §10. */
export const createBEO = defineOperation<z.infer<typeof fields>, Known>({
  name: 'createBEO',
  function: 'createBEO',
  route: { method: 'POST', path: '/api/relayer/beo' },
  status: 201,
  limit: 'relayer',
  fields,
  hints: {},
  target: null,
  signer: { field: 'publicKey' },
  expectedKey: 'publicKey',

  introduces: (fields) => ({
    keys: [
      fields.publicKey,
      ...(fields.recovery?.guardians ?? []).flatMap(({ public_key }) => boundKey(public_key) ?? []),
    ],
    domains: [fields.domain],
  }),

  known: (fields) => ({
    domain: normalDomain(fields.domain),
    publicKey: fields.publicKey.toLowerCase(),
    enabled: false,
    guardians: [],
  }),

  seal(fields, ids) {
    if (fields.recovery === null) return null;
    const { guardians, enabled, rows } = splitRecovery(fields.recovery, ids);
    return {
      known: { domain: normalDomain(fields.domain), publicKey: fields.publicKey.toLowerCase(), enabled, guardians },
      rows,
      invited: guardians.map(({ guardian_id, invitation_id, role }) => ({
        guardianId: guardian_id,
        invitationId: invitation_id,
        role,
      })),
    };
  },

  sealedFacts: sealedFacts.transform(({ timestamp: _, ...known }) => known),

  touches: ({ entityId, known }) => [
    { kind: 'BEO', id: entityId },
    { kind: 'NAME', id: known.domain },
  ],

  transition(entities, { entityId, known, acceptedAt }) {
    const name = entities.get('NAME', known.domain);
    if (name?.holder) throw refusal('DOMAIN_TAKEN');
    if (name?.availableAt && Date.parse(acceptedAt) < Date.parse(name.availableAt)) {
      throw refusal('DOMAIN_TAKEN', 'The domain was given up a moment ago and can be taken again shortly.', {
        available_at: name.availableAt,
      });
    }
    const id = entityId as BeoId;
    const recorded = { transactionId: '' as TransactionId, seq: 0 };
    return {
      changes: [
        { kind: 'NAME', id: known.domain, holder: { kind: 'BEO', id }, availableAt: null, ...recorded },
        {
          kind: 'BEO',
          id,
          domain: known.domain,
          publicKey: known.publicKey,
          keyVersion: 1,
          status: 'ACTIVE',
          createdAt: acceptedAt,
          updatedAt: acceptedAt,
          lockedAt: null,
          recovery:
            known.guardians.length > 0 || known.enabled
              ? invitedRecovery(known.guardians, known.enabled, known.publicKey, acceptedAt)
              : NO_RECOVERY,
          ...recorded,
        },
      ],
    };
  },

  answer({ entityId, entities, acceptedAt, invitations }) {
    const beo = entities.get('BEO', entityId);
    if (!beo) throw refusal('INTERNAL');
    return {
      beo_id: beo.id,
      domain: beo.domain,
      beo: beoView(beo, 'ACCEPTED', Date.parse(acceptedAt)),
      invitations,
    };
  },
});
