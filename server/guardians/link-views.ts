import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { ConfirmationState, InvitationState } from './link-state.ts';

/** What a program is answered that asks for an invitation: its facts while it is open, else the code. Protocol §4, §5. */
export function invitationView(invitation: InvitationState): Record<string, unknown> {
  if (invitation.state !== 'open') throw invitationRefusal(invitation);
  const { invitation_id, beo_id, beo_domain, role, expires_at } = invitation;
  return { invitation_id, beo_id, beo_domain, role, expires_at };
}

function invitationRefusal(invitation: Exclude<InvitationState, { state: 'open' }>): ProtocolError {
  if (invitation.state === 'unknown') return refusal('LINK_NOT_FOUND');
  if (invitation.state === 'used') return refusal('LINK_USED');
  if (invitation.state === 'locked') return refusal('BEO_LOCKED');
  return invitation.state === 'expired' ? refusal('LINK_EXPIRED') : superseded();
}

/** The same for a guardian's part in a recovery. */
export function confirmationView(confirmation: ConfirmationState): Record<string, unknown> {
  if (confirmation.state !== 'open') throw confirmationRefusal(confirmation);
  const { request_id, beo_id, beo_domain, new_public_key, confirmations, expires_at } = confirmation;
  return { request_id, beo_id, beo_domain, new_public_key, confirmations, expires_at };
}

function confirmationRefusal(confirmation: Exclude<ConfirmationState, { state: 'open' }>): ProtocolError {
  if (confirmation.state === 'unknown') return refusal('LINK_NOT_FOUND');
  if (confirmation.state === 'confirmed') {
    const { confirmations, confirmations_needed } = confirmation;
    return refusal('LINK_USED', 'You have confirmed this recovery already.', { confirmations, confirmations_needed });
  }
  if (confirmation.state === 'closed') return refusal('REQUEST_CLOSED');
  return confirmation.state === 'expired' ? refusal('LINK_EXPIRED') : superseded();
}

const superseded = (): ProtocolError =>
  refusal('LINK_EXPIRED', 'This link has been withdrawn or replaced.', { reason: 'SUPERSEDED' });
