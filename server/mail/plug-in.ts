import type { Language } from '../../messages/languages.ts';
import { type PlugIn, partOf, stateOf } from '../write/plug-in.ts';
import type { Submission } from '../write/submission.ts';
import { deleteMailsOf, invitationMails, type NewMail, saveMails } from './mail.ts';

interface Part {
  readonly language: Language;
  /** See NewMail. */
  readonly source: Buffer | null;
}

interface Parts {
  /** Whether mails are sent at all. */
  readonly enabled: boolean;
  /** A keyed digest of a client's network. */
  readonly source: (address: string) => Buffer;
  /** The invitations that a submission sends. */
  readonly invitationsOf: (submission: Submission) => readonly { readonly id: string; readonly guardianId: string }[];
}

/** Queues the mails that an operation causes, in the same transaction as the operation. */
export function createMailPlugIn({ enabled, source, invitationsOf }: Parts): PlugIn<Part, NewMail[]> {
  const plugIn: PlugIn<Part, NewMail[]> = {
    prepare: ({ language, address }) =>
      enabled ? { part: { language, source: address === null ? null : source(address) } } : null,

    load: async () => [],

    apply(batch, submission, { outcome }) {
      const part = partOf(plugIn, submission);
      if (!part) return;
      const { at } = batch;
      const invitations = invitationsOf(submission).flatMap(({ id, guardianId }) =>
        invitationMails({ ...part, ownerId: submission.entityId, guardianId, aboutId: id }, at),
      );
      const notices = outcome.notices.map(({ kind, beoId, guardianId, requestId }) => {
        return { ...part, kind, ownerId: beoId, guardianId, aboutId: requestId, dueAt: at };
      });
      stateOf(plugIn, batch).push(...invitations, ...notices);
    },

    write(batch) {
      const mails = stateOf(plugIn, batch);
      return mails.length > 0 ? [saveMails(mails)] : [];
    },

    erase: (ownerIds) => [deleteMailsOf(ownerIds)],
  };
  return plugIn;
}
