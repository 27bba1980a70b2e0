import { z } from 'zod';
import type { Beo } from '../entities/beo.ts';
import { THRESHOLD } from '../entities/guardian.ts';
import { obsoleteRows, recoveryRow } from '../entities/recovery.ts';
import {
  confirmationsOf,
  eligibleGuardians,
  guardiansAfterRecovery,
  requestProblem,
  withConfirmation,
} from '../entities/social-recovery.ts';
import { refusal } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { count, uuid as uuidText } from '../response-shapes.ts';
import { entityReference, publicKey, uuid } from '../shapes.ts';
import { requireBeo } from './beo-key-operation.ts';

const fields = z.strictObject({ requestId: uuid, beoId: entityReference, newPublicKey: publicKey });
type Fields = z.infer<typeof fields>;

/**
 * A guardian confirms a recovery request for a new key. The second confirmation replaces the key at once; consents stay, and a
 * locked identity stays locked. The request is not on the ledger: the entry contains its opening time. Protocol §1, §3, §10.
 */
export const confirmRecovery = defineOperation<Fields, Fields>()({
  name: 'confirmRecovery',
  function: 'confirmRecovery',
  title: 'Confirm a recovery',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/guardian/confirm-recovery/:token', limit: 'guardian_link', link: 'recovery' }],
  status: 200,
  fields,
  subjects: { holder: { kind: 'BEO', field: 'beoId' } },
  about: { role: 'holder' },
  signer: { guardianOf: 'holder' },
  expectedKey: 'guardian',
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
  publicFacts: ({ fields: { requestId, beoId, newPublicKey } }) => ({
    requestId: requestId.toLowerCase(),
    beoId,
    newPublicKey: newPublicKey.toLowerCase(),
  }),
  assigns: ['opened_at'],
  events: ['beo.key_rotated'],
  yieldsEvents: (before, after) => after.keyVersion > before.keyVersion,

  transition(entities, { entityId, publicFacts: { requestId, newPublicKey }, signer, assigned, acceptedAt: at }) {
    const beo = requireBeo(entities, entityId);
    const { recovery } = beo;
    const now = Date.parse(at);
    const openedAt = assigned.opened_at ?? '';
    if (!isInstantUpTo(openedAt, now))
      throw refusal('INTERNAL', 'The opening time of the request is not a time before its confirmation.');
    const problem = requestProblem(recovery, { requestId, openedAt }, now);
    if (problem) throw problem;
    const existing = recovery.requests.find((request) => request.requestId === requestId);
    if (existing && (existing.newPublicKey !== newPublicKey || existing.openedAt !== openedAt)) {
      throw refusal('INTERNAL', 'An earlier confirmation of the request has another key or opening time.');
    }

    const guardians = eligibleGuardians(recovery, now);
    const guardian = guardians.find(({ publicKey }) => publicKey === signer);
    if (!guardian) {
      const sentence = 'You cannot confirm this recovery: you are not an eligible guardian of the identity now.';
      throw refusal('LINK_EXPIRED', sentence, { reason: 'SUPERSEDED' });
    }
    const earlier = confirmationsOf(recovery, requestId);
    if (earlier.some(({ publicKey }) => publicKey === signer)) {
      throw refusal('ALREADY_CONFIRMED', 'You have already confirmed this recovery.', progress(earlier.length));
    }
    if (guardians.some(({ publicKey }) => publicKey === newPublicKey)) {
      throw refusal('PUBLIC_KEY_TAKEN', 'The new key is the key of a guardian; choose another key.');
    }
    const { guardianId, publicKey, confirmedAt } = guardian;
    const confirmation = { guardianId, publicKey, asserted: confirmedAt === null, at };
    if (earlier.length + 1 >= THRESHOLD) return recovered(beo, requestId, newPublicKey, at);
    const after = withConfirmation(recovery, { requestId, newPublicKey, openedAt }, confirmation);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: [recoveryRow(requestId, guardianId)],
      // The other guardians are notified, so that they can object if one was deceived.
      notices: eligibleGuardians(after, now)
        .filter((other) => other.publicKey !== signer)
        .map((other) => ({ kind: 'confirmed', beoId: beo.id, guardianId: other.guardianId, requestId })),
    };
  },

  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'ALREADY_CONFIRMED'],
  response: z.object({
    request_id: uuidText,
    confirmations: count,
    confirmations_needed: count,
    executed: z.boolean().describe('Whether the key was replaced.'),
  }),
  answer({ entityId, entities, publicFacts: { requestId, newPublicKey }, acceptedAt }) {
    const beo = entities.get('BEO', entityId);
    if (!beo) throw refusal('INTERNAL');
    const executed = beo.recovery.recoveredAt === acceptedAt && beo.publicKey === newPublicKey;
    const confirmations = executed ? THRESHOLD : confirmationsOf(beo.recovery, requestId).length;
    return { request_id: requestId, ...progress(confirmations), executed };
  },
});

const isInstantUpTo = (text: string, time: number): boolean =>
  Date.parse(text) <= time && new Date(text).toISOString() === text;

const progress = (confirmations: number) => ({ confirmations, confirmations_needed: THRESHOLD });

/** Replaces the key and closes every request. */
function recovered(beo: Beo, requestId: string, newPublicKey: string, at: string) {
  // Cancellations were made with the key that is replaced: they do not count against the new one.
  const { cancelled: _, ...recovery } = guardiansAfterRecovery(beo.recovery, newPublicKey, at);
  return {
    changes: [
      {
        ...beo,
        publicKey: newPublicKey,
        keyVersion: beo.keyVersion + 1,
        updatedAt: at,
        recovery: { ...recovery, requests: [], recoveredAt: at },
      },
    ],
    rowsToDelete: [
      ...beo.recovery.guardians.map(({ guardianId }) => recoveryRow(requestId, guardianId)),
      ...obsoleteRows(beo.recovery.guardians, recovery.guardians),
    ],
    notices: eligibleGuardians({ ...recovery, requests: [], recoveredAt: at }, Date.parse(at)).map(
      ({ guardianId }) => ({ kind: 'recovered' as const, beoId: beo.id, guardianId, requestId }),
    ),
  };
}
