import type { ClientBase } from 'pg';
import { z } from 'zod';
import { ADDRESS_LINK_MS } from '../../../protocol/alerts.ts';
import { invitationEnds } from '../../../protocol/entities/guardian.ts';
import { invitationProblem } from '../../../protocol/entities/invitation.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { guardianRow, invitationRow, recoveryRow } from '../../../protocol/entities/recovery.ts';
import {
  confirmationsOf,
  requestEnds,
  requestProblem,
  type SocialRecovery,
} from '../../../protocol/entities/social-recovery.ts';
import { shortLink } from '../../../protocol/guardian-links.ts';
import type { GuardianId, InvitationId } from '../../../protocol/ids.ts';
import { emailAddress } from '../../settings/mailbox.ts';
import type { Vault } from '../vault/vault.ts';
import type { DueMail } from './due-mail.ts';
import type { LetterInput } from './letters/write.ts';
import type { GuardianMailKind } from './mail.ts';

export interface LetterInputParts {
  readonly client: ClientBase;
  readonly vault: Vault;
  readonly publicUrl: string;
  /** In ms. */
  readonly now: number;
}

const addressContent = z.object({ address: z.string(), token: z.string() });
const guardianContent = z.object({ contact: z.string() });
const linkContent = z.object({ token: z.string() });

/**
 * Reads the recipient and the content of a mail from the current state; null if the mail is obsolete or the guardian
 * has no e-mail address.
 */
export async function readLetterInput(
  parts: LetterInputParts,
  mail: DueMail,
): Promise<{ readonly address: string; readonly occasion: Omit<LetterInput, 'unsubscribeUrl'> } | null> {
  const identity = await readIdentity(parts.client, mail.ownerId);
  if (!identity?.domain) return null;
  const { publicUrl } = parts;
  const urls = { identityUrl: `${publicUrl}/explore/${mail.ownerId}`, recoverUrl: `${publicUrl}/recover`, publicUrl };
  if (!isToGuardian(mail)) {
    const found = await readAlertInput(parts, mail);
    return (
      found && { address: found.address, occasion: { ...urls, link: found.link, alert: found.alert(identity.domain) } }
    );
  }
  const guardian = await readVault(parts, guardianRow(mail.recipientId as GuardianId), guardianContent);
  const address = guardian && emailAddress(guardian.contact);
  if (!address) return null;
  const link = await readLink(parts, mail, identity.recovery);
  return link === 'obsolete' ? null : { address, occasion: { ...urls, link, alert: null } };
}

type GuardianMail = DueMail & { readonly kind: GuardianMailKind };

const isToGuardian = (mail: DueMail): mail is GuardianMail => mail.table === 'mails';

/** The address of a holder and what happened; null if the address was deleted, or the request is not open any more. */
async function readAlertInput(parts: LetterInputParts, { kind, recipientId, aboutId, happenedAt }: DueMail) {
  const content = await readVault(parts, `alert:${recipientId}`, addressContent);
  if (!content || happenedAt === null) return null;
  if (kind === 'alertRecoveryRequested' && (await readOpenedAt(parts.client, aboutId)) === null) return null;
  const { address, token } = content;
  const isNew = kind === 'alertConfirm';
  const until = new Date(Date.parse(happenedAt) + ADDRESS_LINK_MS).toISOString();
  if (isNew && parts.now >= Date.parse(until)) return null;
  return {
    address,
    link: isNew ? { url: shortLink(parts.publicUrl, 'alert', token), until } : null,
    alert: (domain: string) => ({ domain, at: happenedAt }),
  };
}

type Link = LetterInput['link'] | 'obsolete';

function readLink(parts: LetterInputParts, mail: GuardianMail, recovery: SocialRecovery): Promise<Link> | Link {
  switch (mail.kind) {
    case 'invitation':
    case 'reminder':
      return readInvitationLink(parts, mail, recovery);
    case 'recovery':
    case 'confirmed':
      return readConfirmationLink(parts, mail, recovery);
    case 'recovered':
    case 'cancelled':
      return null;
  }
}

async function readInvitationLink(parts: LetterInputParts, mail: DueMail, recovery: SocialRecovery): Promise<Link> {
  const guardian = recovery.guardians.find(
    ({ guardianId, invitationId }) => guardianId === mail.recipientId && invitationId === mail.aboutId,
  );
  if (!guardian || invitationProblem(guardian, parts.now)) return 'obsolete';
  const content = await readVault(parts, invitationRow(mail.aboutId as InvitationId), linkContent);
  if (!content) return 'obsolete';
  return { url: shortLink(parts.publicUrl, 'invitation', content.token), until: invitationEnds(guardian.addedAt) };
}

/** The mail `confirmed` is useful without a link as well. */
async function readConfirmationLink(parts: LetterInputParts, mail: DueMail, recovery: SocialRecovery): Promise<Link> {
  const openedAt = await readOpenedAt(parts.client, mail.aboutId);
  if (openedAt === null || requestProblem(recovery, { requestId: mail.aboutId, openedAt }, parts.now))
    return 'obsolete';
  if (confirmationsOf(recovery, mail.aboutId).some(({ guardianId }) => guardianId === mail.recipientId))
    return 'obsolete';
  const content = await readVault(parts, recoveryRow(mail.aboutId, mail.recipientId), linkContent);
  if (content) return { url: shortLink(parts.publicUrl, 'recovery', content.token), until: requestEnds(openedAt) };
  return mail.kind === 'confirmed' ? null : 'obsolete';
}

async function readIdentity(client: ClientBase, id: string) {
  const { rows } = await client.query<{ domain: string | null; recovery: SocialRecovery }>({
    name: 'identity-of-mail',
    text: 'SELECT domain, recovery FROM beos WHERE id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}

async function readOpenedAt(client: ClientBase, requestId: string): Promise<Instant | null> {
  const { rows } = await client.query<{ opened_at: Instant }>({
    name: 'opening-of-request',
    text: 'SELECT opened_at FROM recovery_requests WHERE id = $1 AND cancelled_at IS NULL',
    values: [requestId],
  });
  return rows[0]?.opened_at ?? null;
}

async function readVault<Content>(
  { vault, client }: LetterInputParts,
  row: string,
  shape: z.ZodType<Content>,
): Promise<Content | null> {
  const content = await vault.read(client, row);
  return content === null ? null : shape.parse(content);
}
