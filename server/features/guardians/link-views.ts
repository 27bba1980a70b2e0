import type { z } from 'zod';
import { cancelledBefore } from '../../../protocol/entities/social-recovery.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { openConfirmation, openInvitation } from '../../../protocol/guardian-responses.ts';
import type { ConfirmationState, InvitationState } from './link-state.ts';
import { lostLinkRefusal } from './lost-link.ts';

/** The API's view of an invitation: its fields while it is open, else the error. Protocol §4, §5. */
export function invitationView(invitation: InvitationState): z.output<typeof openInvitation> {
  if (invitation.state !== 'open') throw invitationRefusal(invitation);
  const { invitation_id, beo_id, beo_domain, role, expires_at } = invitation;
  return { invitation_id, beo_id, beo_domain, role, expires_at };
}

function invitationRefusal(invitation: Exclude<InvitationState, { state: 'open' }>): ProtocolError {
  switch (invitation.state) {
    case 'used':
      return refusal('LINK_USED');
    case 'locked':
      return refusal('BEO_LOCKED');
    case 'expired':
      return refusal('LINK_EXPIRED');
    case 'superseded':
      return superseded();
    default:
      return lostLinkRefusal(invitation.state);
  }
}

/** The API's view of a guardian's confirmation. */
export function confirmationView(confirmation: ConfirmationState): z.output<typeof openConfirmation> {
  if (confirmation.state !== 'open') throw confirmationRefusal(confirmation);
  const { request_id, beo_id, beo_domain, new_public_key, confirmations, expires_at } = confirmation;
  return { request_id, beo_id, beo_domain, new_public_key, confirmations, expires_at };
}

function confirmationRefusal(confirmation: Exclude<ConfirmationState, { state: 'open' }>): ProtocolError {
  switch (confirmation.state) {
    case 'confirmed': {
      const { confirmations, confirmations_needed } = confirmation;
      return refusal('LINK_USED', 'You have already confirmed this recovery.', { confirmations, confirmations_needed });
    }
    case 'closed':
      return refusal('REQUEST_CLOSED');
    case 'cancelled':
      return cancelledBefore(confirmation.cancelled_at);
    case 'expired':
      return refusal('LINK_EXPIRED');
    case 'superseded':
      return superseded();
    default:
      return lostLinkRefusal(confirmation.state);
  }
}

const superseded = (): ProtocolError =>
  refusal('LINK_EXPIRED', 'This link has been withdrawn or replaced.', { reason: 'SUPERSEDED' });
