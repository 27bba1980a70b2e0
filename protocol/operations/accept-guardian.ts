import { z } from 'zod';
import { invitationProblem } from '../entities/invitation.ts';
import { invitationRow, obsoleteRows } from '../entities/recovery.ts';
import { isEligible, requireFreeKey } from '../entities/social-recovery.ts';
import { guardianSummary } from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { entityReference, publicKey, uuid } from '../shapes.ts';
import { requireBeo, requireUnlocked } from './beo-key-operation.ts';
import { guardianAnswer } from './guardian-answer.ts';

const fields = z.strictObject({ invitationId: uuid, beoId: entityReference, publicKey });
type Fields = z.infer<typeof fields>;

/**
 * An invited guardian registers a key and signs with it. If the holder bound the invitation to a key, only that key can accept.
 * Protocol §1, §3, §4.
 */
export const acceptGuardian = defineOperation<Fields, Fields>()({
  name: 'acceptGuardian',
  function: 'acceptGuardian',
  title: 'Accept the invitation to be a guardian',
  routes: [{ method: 'POST', path: '/api/guardian/accept/:token', limit: 'guardian_link', link: 'invitation' }],
  status: 200,
  fields,
  subjects: { holder: { kind: 'BEO', field: 'beoId' } },
  about: { role: 'holder' },
  signer: { field: 'publicKey' },
  expectedKey: 'publicKey',
  introduces: ({ publicKey }) => ({ keys: [publicKey], domains: [] }),
  publicFacts: ({ fields: { invitationId, beoId, publicKey } }) => ({
    invitationId: invitationId.toLowerCase(),
    beoId,
    publicKey: publicKey.toLowerCase(),
  }),

  transition(entities, { entityId, publicFacts: { invitationId, publicKey }, acceptedAt: at }) {
    const beo = requireBeo(entities, entityId);
    const { recovery } = beo;
    const invited = recovery.guardians.find((guardian) => guardian.invitationId === invitationId);
    const problem = invitationProblem(invited, Date.parse(at));
    if (problem || !invited) throw problem ?? refusal('INTERNAL');
    requireUnlocked(beo);
    if (invited.publicKey !== null && invited.publicKey !== publicKey) {
      const sentence = 'The holder bound this invitation to another key; sign with that key.';
      throw refusal('INVALID_SIGNATURE', sentence, { expected_key: 'guardian' });
    }
    // A removed guardian who is invited again stays one guardian and keeps the rest of the grace period.
    const returning = recovery.guardians.find(
      ({ status, publicKey: key }) => status === 'REMOVED' && key === publicKey,
    );
    const eligible = returning && isEligible(recovery, returning, Date.parse(at)) ? returning : null;
    const others = recovery.guardians.filter((guardian) => guardian !== invited && guardian !== returning);
    requireFreeKey(
      { publicKey: beo.publicKey, recovery: { ...recovery, guardians: others } },
      publicKey,
      Date.parse(at),
    );
    const guardian = {
      ...invited,
      publicKey,
      status: 'ACTIVE' as const,
      acceptedAt: eligible?.acceptedAt ?? at,
      confirmedAt: eligible?.confirmedAt ?? null,
      namedAt: eligible?.namedAt ?? (invited.publicKey === null ? null : invited.addedAt),
      countsUntil: eligible?.countsUntil ?? null,
    };
    const guardians = recovery.guardians.flatMap((other) =>
      other === returning ? [] : [other === invited ? guardian : other],
    );
    return {
      changes: [{ ...beo, recovery: { ...recovery, guardians }, updatedAt: at }],
      rowsToDelete: [invitationRow(invited.invitationId), ...obsoleteRows(recovery.guardians, guardians)],
    };
  },

  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'BEO_LOCKED'],
  response: guardianSummary,
  answer({ entityId, entities, publicFacts }) {
    const beo = entities.get('BEO', entityId);
    if (!beo) throw refusal('INTERNAL');
    return guardianAnswer(beo, ({ invitationId }) => invitationId === publicFacts.invitationId);
  },
});
