import type { Entity } from '../../protocol/entities.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { countingGuardians } from '../../protocol/social-recovery.ts';
import type { Correspondents } from '../mail/correspondents.ts';
import { invitationMails, type NewMail } from '../mail/mail.ts';
import type { Submission } from '../write/submission.ts';
import type { CommitParts } from '../write/work.ts';

type Notices = CommitParts['notices'];

/** The mails that an operation brings to guardians; in the same transaction as the operation. */
export const createNotices =
  ({ source }: Pick<Correspondents, 'source'>): Notices =>
  (submission, changes, at) =>
    noticesOf(submission, changes, at, submission.address === null ? null : source(submission.address));

function noticesOf(
  submission: Submission,
  changes: readonly Entity[],
  at: Instant,
  source: Buffer | null,
): readonly NewMail[] {
  const { operation, entityId: ownerId, invitations, language } = submission;
  const invited = invitations.flatMap(({ id: aboutId, guardianId }) =>
    invitationMails({ ownerId, guardianId, aboutId, language, source }, at),
  );
  return operation.name === 'confirmRecovery' ? [...invited, ...confirmed(submission, changes, at, source)] : invited;
}

/** Guardians hear of each other's confirmation: one that was talked into it is noticed. */
function confirmed(
  { known, signed, language }: Submission,
  changes: readonly Entity[],
  at: Instant,
  source: Buffer | null,
): NewMail[] {
  const { requestId } = known as { requestId: string };
  return changes.flatMap((beo) => {
    if (beo.kind !== 'BEO') return [];
    const kind = beo.recovery.recoveredAt === at ? 'recovered' : 'confirmed';
    return countingGuardians(beo.recovery, Date.parse(at))
      .filter(({ publicKey }) => kind === 'recovered' || publicKey !== signed?.signer)
      .map(({ guardianId }) => ({
        kind,
        ownerId: beo.id,
        guardianId,
        aboutId: requestId,
        language,
        source,
        dueAt: at,
      }));
  });
}
