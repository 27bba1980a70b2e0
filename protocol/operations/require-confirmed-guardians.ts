import { z } from 'zod';
import { obsoleteRows } from '../entities/recovery.ts';
import { socialRecoveryView, withConfirmedRequired } from '../entities/social-recovery.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/**
 * From now on only confirmed guardians may recover the identity; this cannot be undone. A relayer that forges an invitation and
 * accepts it gains nothing. Protocol §3.
 */
export const requireConfirmedGuardians = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'requireConfirmedGuardians',
  function: 'requireConfirmedGuardians',
  title: 'Require confirmed guardians',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/guardian/require-confirmed', limit: 'guardian_link' }],
  shape: {},
  mustBeUnlocked: true,
  publicFacts: ({ fields }) => fields,

  change(beo, { acceptedAt: at }) {
    const { recovery: before } = beo;
    if (before.requiredSince !== null) {
      throw refusal('ALREADY_CONFIRMED', 'This identity already requires confirmed guardians.', {
        required_since: before.requiredSince,
      });
    }
    const after = withConfirmedRequired(before, at);
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: obsoleteRows(before.guardians, after.guardians),
    };
  },

  errors: ['ALREADY_CONFIRMED'],
  response: z.object({ recovery: views.socialRecovery }),
  answer: ({ recovery }, { acceptedAt }) => ({ recovery: socialRecoveryView(recovery, Date.parse(acceptedAt)) }),
});
