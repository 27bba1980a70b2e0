import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { type GuardianRole, INVITATION_MS } from '../../../protocol/entities/guardian.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { invitationRow } from '../../../protocol/entities/recovery.ts';
import { cancelledBefore } from '../../../protocol/entities/social-recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import { apiLink } from '../../../protocol/guardian-links.ts';
import type { GuardianId } from '../../../protocol/ids.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { type PlugIn, partOf, stateOf } from '../../write/plug-in.ts';
import type { Submission } from '../../write/submission.ts';
import { cancelUnconfirmed, lockConfirmed } from './cancel-request.ts';
import { keepDestroyedLinks } from './lost-link.ts';

/** An invitation whose link has been created; stored once its operation is accepted. */
export interface NewInvitation {
  readonly tokenHash: Buffer;
  readonly id: string;
  readonly beoId: string;
  readonly guardianId: string;
  readonly role: GuardianRole;
  readonly url: string;
}

/** The guardians of one configuration. */
interface Part {
  readonly invited: readonly NewInvitation[];
  readonly kept: readonly GuardianId[];
}

interface State {
  readonly invited: (NewInvitation & { readonly acceptedAt: Instant })[];
  /** Of the requests that the batch confirms: see lockConfirmed. */
  readonly requests: ReadonlyMap<string, Instant | null>;
}

export type GuardiansPlugIn = PlugIn<Part, State>;

interface Parts {
  readonly pool: Pool;
  readonly now: () => number;
  readonly publicUrl: () => string;
  /** Creates the secret of a new link. */
  readonly newToken: () => string;
}

/**
 * Creates the links of invited guardians. The link is found by its hash; an encrypted copy is kept for reminders.
 * Protocol §4.
 */
export function createGuardiansPlugIn({ pool, now, publicUrl, newToken }: Parts): GuardiansPlugIn {
  const plugIn: GuardiansPlugIn = {
    async answerAlone({ operation, request, subjects: { holder }, signer, charge }) {
      if (operation.name !== 'cancelRecovery' || !holder) return null;
      const requestId = String(request.fields.requestId).toLowerCase();
      const cancelling = { beoId: holder.id, requestId, request, signer, charge };
      const cancelledAt = await cancelUnconfirmed({ pool, now }, cancelling);
      return cancelledAt === null ? null : { request_id: requestId, cancelled_at: cancelledAt };
    },

    prepare({ sealing, entityId: beoId }) {
      if (!sealing) return null;
      const made = sealing.invited.map(({ guardianId, invitationId: id, role }) => {
        const token = newToken();
        const url = apiLink(publicUrl(), 'invitation', token);
        const tokenHash = hash('sha256', token, 'buffer');
        return { token, invitation: { tokenHash, id, beoId, guardianId, role, url } };
      });
      return {
        part: { invited: made.map(({ invitation }) => invitation), kept: sealing.kept ?? [] },
        privateRows: made.map(({ token, invitation }) => ({ id: invitationRow(invitation.id), content: { token } })),
      };
    },

    async load(client, submissions) {
      const requestIds = submissions.flatMap((submission) => confirmedIn(submission) ?? []);
      return { invited: [], requests: await lockConfirmed(client, requestIds) };
    },

    // The holder may have closed the request, or others may have displaced it, since the link was followed.
    check(batch, submission) {
      const requestId = confirmedIn(submission);
      if (requestId === null) return;
      const cancelledAt = stateOf(plugIn, batch).requests.get(requestId);
      if (cancelledAt === undefined) throw refusal('LINK_NOT_FOUND');
      if (cancelledAt !== null) throw cancelledBefore(cancelledAt);
    },

    // Another operation may have removed a guardian since the identity was read.
    admit({ entities }, submission) {
      const guardians = entities.get('BEO', submission.entityId)?.recovery.guardians ?? [];
      const isActive = (id: GuardianId) =>
        guardians.some(({ guardianId, status }) => guardianId === id && status === 'ACTIVE');
      if (!(partOf(plugIn, submission)?.kept ?? []).every(isActive)) {
        throw refusal('UNAVAILABLE', 'The guardians changed at the same moment; send the request again.');
      }
    },

    apply(batch, submission) {
      const { invited = [] } = partOf(plugIn, submission) ?? {};
      stateOf(plugIn, batch).invited.push(...invited.map((invitation) => ({ ...invitation, acceptedAt: batch.at })));
    },

    write(batch) {
      const { invited } = stateOf(plugIn, batch);
      return invited.length > 0 ? [saveInvitations(invited)] : [];
    },

    erase: (ownerIds, at) => [
      keepDestroyedLinks(ownerIds, at),
      ...['invitations', 'recovery_requests', 'recovery_mailings'].map((table) => deleteOf(table, ownerIds)),
    ],

    answer: (submission, acceptedAt) => ({
      invitations: (partOf(plugIn, submission)?.invited ?? []).map(({ guardianId, role, url }) => ({
        guardian_id: guardianId,
        role,
        url,
        expires_at: new Date(Date.parse(acceptedAt) + INVITATION_MS).toISOString(),
      })),
    }),
  };
  return plugIn;
}

/** The request that a submission confirms, or null. */
const confirmedIn = ({ operation, publicFacts }: Submission): string | null =>
  operation.name === 'confirmRecovery' ? (publicFacts as { requestId: string }).requestId : null;

const saveInvitations = (rows: State['invited']): Statement => ({
  name: 'save-invitations',
  text: `INSERT INTO invitations (token_hash, id, beo_id, guardian_id, role, expires_at)
         SELECT token_hash, id, beo_id, guardian_id, role, accepted_at + interval '72 hours'
         FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
           AS i (token_hash, id, beo_id, guardian_id, role, accepted_at)`,
  values: [
    rows.map(({ tokenHash }) => tokenHash),
    rows.map(({ id }) => id),
    rows.map(({ beoId }) => beoId),
    rows.map(({ guardianId }) => guardianId),
    rows.map(({ role }) => role),
    rows.map(({ acceptedAt }) => acceptedAt),
  ],
});

const deleteOf = (table: string, ownerIds: readonly string[]): Statement => ({
  name: `delete-${table}-of`,
  text: `DELETE FROM ${table} WHERE beo_id = ANY($1::uuid[])`,
  values: [ownerIds],
});
