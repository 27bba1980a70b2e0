import type { Language } from '../../../messages/languages.ts';
import { type PlugIn, partOf, stateOf } from '../../write/plug-in.ts';
import type { Submission } from '../../write/submission.ts';
import { deleteMailsOf, invitationMails, type NewMail, saveMails } from './mail.ts';

interface Part {
  readonly language: Language;
  readonly source: Buffer | null;
}

interface Parts {
  /** Whether a mail server is configured. */
  readonly enabled: boolean;
  /** A keyed hash of a client's network. */
  readonly source: (address: string) => Buffer;
  /** The invitations in a submission. */
  readonly invitationsOf: (submission: Submission) => readonly { readonly id: string; readonly guardianId: string }[];
}

/** Queues the mails that an operation causes, in the operation's transaction. */
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

    erase: deleteMailsOf,
  };
  return plugIn;
}
