import { z } from 'zod';
import type { GuardianRole } from '../entities/guardian.ts';
import { isPresent, MAX_GUARDIANS } from '../entities/guardian.ts';
import {
  guardianRow,
  invitationOf,
  invitedGuardian,
  obsoleteRows,
  publicGuardian,
  reusesId,
} from '../entities/recovery.ts';
import { refusal } from '../errors.ts';
import { withoutTimestamp } from '../operation.ts';
import { time, url, uuid } from '../response-shapes.ts';
import { guardianContact, guardianName, guardianRole } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

interface Fields {
  readonly beoId: string;
  readonly name: string;
  readonly contact: string;
  readonly role: GuardianRole;
}

const sealedFacts = z.strictObject({ timestamp: z.string(), beoId: z.string(), guardian: publicGuardian });
type PublicFacts = Pick<z.infer<typeof sealedFacts>, 'beoId' | 'guardian'>;

/**
 * A holder invites a guardian, who gets a link that is valid for 72 hours. An expired invitation to the same role is replaced.
 * Sealed, because it contains the guardian's name. Protocol §1, §3, §4.
 */
export const inviteGuardian = defineBeoKeyOperation<Fields, PublicFacts>()({
  name: 'inviteGuardian',
  function: 'inviteGuardian',
  title: 'Invite a guardian',
  routes: [{ method: 'POST', path: '/api/guardian/invite', limit: 'guardian_invite' }],
  status: 201,
  shape: { name: guardianName, contact: guardianContact, role: guardianRole },
  mustBeUnlocked: true,
  publicFacts: () => {
    throw refusal('INTERNAL');
  },

  sealed: {
    publicFacts: sealedFacts.transform(withoutTimestamp),
    seal({ beoId, name, contact, role }, ids) {
      const guardian = {
        guardian_id: ids.guardianId(role),
        invitation_id: ids.invitationId(role),
        role,
        public_key: null,
      };
      const row = { id: guardianRow(guardian.guardian_id), content: { name, contact } };
      return { publicFacts: { beoId, guardian }, rows: [row], invited: [invitationOf(guardian)] };
    },
  },

  change(beo, { publicFacts: { guardian }, acceptedAt: at }) {
    const { guardians, enabled } = beo.recovery;
    if (reusesId(guardian, guardians)) throw refusal('INTERNAL', 'The new guardian has the id of another one.');
    const present = guardians.filter((other) => isPresent(other, Date.parse(at)));
    if (present.length >= MAX_GUARDIANS) throw refusal('GUARDIAN_LIMIT');
    if (present.some(({ role }) => role === guardian.role)) {
      throw refusal(
        'GUARDIAN_ROLE_TAKEN',
        `There is already a ${guardian.role} guardian; choose another role, or remove that guardian.`,
        { role: guardian.role },
      );
    }
    const others = guardians.filter(({ role, status }) => role !== guardian.role || status === 'REMOVED');
    const after = {
      ...beo.recovery,
      enabled: enabled || present.length === 0,
      guardians: [...others, invitedGuardian(guardian, at)],
    };
    return {
      changes: [{ ...beo, recovery: after, updatedAt: at }],
      rowsToDelete: obsoleteRows(guardians, after.guardians),
    };
  },

  errors: ['GUARDIAN_LIMIT', 'GUARDIAN_ROLE_TAKEN'],
  response: z.object({ guardian_id: uuid, invitation_id: uuid, url, expires_at: time }),
  answer: (beo, { invitations: [invitation] }) => {
    const guardian = beo.recovery.guardians.find(({ guardianId }) => guardianId === invitation?.guardian_id);
    if (!invitation || !guardian) throw refusal('INTERNAL');
    const { guardian_id, url, expires_at } = invitation;
    return { guardian_id, invitation_id: guardian.invitationId, url, expires_at };
  },
});
