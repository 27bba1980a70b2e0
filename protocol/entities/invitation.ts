import { type ProtocolError, refusal } from '../errors.ts';
import { type Guardian, invitationEnds, invitationLapsed } from './guardian.ts';

/** Why an invitation cannot be accepted at `now` (ms), or null; `guardian` is undefined if it no longer exists. */
export function invitationProblem(guardian: Guardian | undefined, now: number): ProtocolError | null {
  if (!guardian || (guardian.status === 'REMOVED' && guardian.acceptedAt === null)) {
    const sentence = 'The invitation was withdrawn or replaced; ask the holder for a new link.';
    return refusal('LINK_EXPIRED', sentence, { reason: 'SUPERSEDED' });
  }
  if (guardian.acceptedAt !== null) return refusal('LINK_USED', 'This invitation has already been accepted.');
  if (guardian.status === 'EXPIRED' || invitationLapsed(guardian, now)) {
    return refusal('LINK_EXPIRED', 'The invitation has expired after 72 hours; ask the holder for a new one.', {
      expires_at: invitationEnds(guardian.addedAt),
    });
  }
  return null;
}
