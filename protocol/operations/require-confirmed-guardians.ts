import { refusal } from '../errors.ts';
import { obsoleteRows } from '../recovery.ts';
import { socialRecoveryView, withConfirmedRequired } from '../social-recovery.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/**
 * The holder states in public, for ever, that only confirmed guardians may recover the identity. A relayer that invents an
 * invitation and accepts it itself gets nothing by it. Protocol §3.
 */
export const requireConfirmedGuardians = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'requireConfirmedGuardians',
  function: 'requireConfirmedGuardians',
  routes: [{ method: 'POST', path: '/api/guardian/require-confirmed', limit: 'guardian_link' }],
  shape: {},
  unlocked: true,
  publicFacts: ({ fields }) => fields,

  change(beo, { acceptedAt: at }) {
    const { recovery: before } = beo;
    if (before.requiredSince !== null) {
      throw refusal('ALREADY_CONFIRMED', 'This identity requires confirmed guardians already.', {
        required_since: before.requiredSince,
      });
    }
    const after = withConfirmedRequired(before, at);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: obsoleteRows(before.guardians, after.guardians),
    };
  },

  answer: ({ recovery }, { acceptedAt }) => ({ recovery: socialRecoveryView(recovery, Date.parse(acceptedAt)) }),
});
