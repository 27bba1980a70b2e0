import { obsoleteRows } from '../entities/recovery.ts';
import { withGracePeriods } from '../entities/social-recovery.ts';
import { guardianSummary } from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { publicKey, uuid } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';
import { guardianAnswer } from './guardian-answer.ts';

/**
 * The holder confirms the key that a guardian registered, after comparing its words with the guardian. From the first
 * confirmation on only confirmed guardians are eligible, so that the relayer gains nothing by accepting invitations itself. Protocol §3.
 */
export const confirmGuardian = defineBeoKeyOperation<{ beoId: string; guardianId: string; publicKey: string }>()({
  name: 'confirmGuardian',
  function: 'confirmGuardian',
  title: 'Confirm the key of a guardian',
  routes: [{ method: 'POST', path: '/api/guardian/confirm', limit: 'guardian_link' }],
  shape: { guardianId: uuid, publicKey },
  mustBeUnlocked: true,
  introduces: ({ publicKey }) => ({ keys: [publicKey], domains: [] }),
  publicFacts: ({ fields: { beoId, guardianId, publicKey } }) => ({
    beoId,
    guardianId: guardianId.toLowerCase(),
    publicKey: publicKey.toLowerCase(),
  }),

  change(beo, { publicFacts: { guardianId, publicKey }, acceptedAt: at }) {
    const before = beo.recovery;
    const guardian = before.guardians.find((other) => other.guardianId === guardianId && other.status !== 'REMOVED');
    if (!guardian) throw refusal('NOT_FOUND', 'The identity has no such guardian.');
    if (guardian.status !== 'ACTIVE') throw invalidField('guardianId', 'has not accepted the invitation');
    if (guardian.publicKey !== publicKey)
      throw invalidField('publicKey', 'is not the key that this guardian registered');
    if (guardian.confirmedAt !== null) {
      throw refusal('ALREADY_CONFIRMED', undefined, { confirmed_at: guardian.confirmedAt });
    }
    const guardians = before.guardians.map((other) => (other === guardian ? { ...other, confirmedAt: at } : other));
    const after = withGracePeriods(before, { ...before, confirmedSince: before.confirmedSince ?? at, guardians }, at);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: obsoleteRows(before.guardians, after.guardians),
    };
  },

  errors: ['PUBLIC_KEY_INVALID', 'NOT_FOUND', 'ALREADY_CONFIRMED'],
  response: guardianSummary,
  answer: (beo, { publicFacts }) => guardianAnswer(beo, ({ guardianId }) => guardianId === publicFacts.guardianId),
});

const invalidField = (path: string, message: string) =>
  refusal('VALIDATION_FAILED', `The field ${path} ${message}.`, { issues: [{ path, message }] });
