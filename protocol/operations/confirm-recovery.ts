import { z } from 'zod';
import type { Beo } from '../beo.ts';
import { refusal } from '../errors.ts';
import { THRESHOLD } from '../guardian.ts';
import { defineOperation } from '../operation.ts';
import { obsoleteRows, recoveryRow } from '../recovery.ts';
import { entityReference, publicKey, uuid } from '../shapes.ts';
import {
  confirmationsOf,
  eligibleGuardians,
  guardiansAfterRecovery,
  requestProblem,
  withConfirmation,
} from '../social-recovery.ts';
import { requireBeo } from './beo-key-operation.ts';

const fields = z.strictObject({ requestId: uuid, beoId: entityReference, newPublicKey: publicKey });
type Fields = z.infer<typeof fields>;

/**
 * A guardian says that the holder has lost the key, and which key is to follow it. The second of them rotates it at once;
 * consents stay, and a locked identity stays locked. The request itself is not on the ledger: the entry says when it was
 * opened. Protocol §1, §3, §10.
 */
export const confirmRecovery = defineOperation<Fields, Fields>()({
  name: 'confirmRecovery',
  function: 'confirmRecovery',
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

  transition(entities, { entityId, publicFacts: { requestId, newPublicKey }, signer, assigned, acceptedAt: at }) {
    const beo = requireBeo(entities, entityId);
    const { recovery } = beo;
    const now = Date.parse(at);
    const openedAt = assigned.opened_at ?? '';
    if (!isInstantUpTo(openedAt, now))
      throw refusal('INTERNAL', 'The time at which the request was opened is none before this.');
    const problem = requestProblem(recovery, openedAt, now);
    if (problem) throw problem;
    const begun = recovery.requests.find((request) => request.requestId === requestId);
    if (begun && (begun.newPublicKey !== newPublicKey || begun.openedAt !== openedAt)) {
      throw refusal('INTERNAL', 'The request was confirmed before with another key, or as opened at another time.');
    }

    const guardians = eligibleGuardians(recovery, now);
    const guardian = guardians.find(({ publicKey }) => publicKey === signer);
    if (!guardian) {
      const sentence = 'Its holder is no guardian whose word counts any more, or not yet.';
      throw refusal('LINK_EXPIRED', sentence, { reason: 'SUPERSEDED' });
    }
    const earlier = confirmationsOf(recovery, requestId);
    if (earlier.some(({ publicKey }) => publicKey === signer)) {
      throw refusal('ALREADY_CONFIRMED', 'You have confirmed this recovery already.', progress(earlier.length));
    }
    if (guardians.some(({ publicKey }) => publicKey === newPublicKey)) {
      throw refusal('PUBLIC_KEY_TAKEN', 'The new key is a guardian’s; a holder cannot be their own guardian.');
    }
    const { guardianId, publicKey, confirmedAt } = guardian;
    const confirmation = { guardianId, publicKey, asserted: confirmedAt === null, at };
    if (earlier.length + 1 >= THRESHOLD) return recovered(beo, requestId, newPublicKey, at);
    const after = withConfirmation(recovery, { requestId, newPublicKey, openedAt }, confirmation);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: [recoveryRow(requestId, guardianId)],
      // The other guardians are told, so that one who was deceived is noticed.
      notices: eligibleGuardians(after, now)
        .filter((other) => other.publicKey !== signer)
        .map((other) => ({ kind: 'confirmed', beoId: beo.id, guardianId: other.guardianId, requestId })),
    };
  },

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

/** The key rotates at once; every other request is closed by it. */
function recovered(beo: Beo, requestId: string, newPublicKey: string, at: string) {
  const recovery = guardiansAfterRecovery(beo.recovery, newPublicKey, at);
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
