import type { Language } from '../../../messages/languages.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { Statement } from '../../platform/db/statement.ts';

export type GuardianMailKind = 'invitation' | 'reminder' | 'recovery' | 'confirmed' | 'recovered' | 'cancelled';

/** Mails to an address of a holder: its confirmation, changes of the settings, and alerts. Protocol §11. */
export type AlertMailKind =
  | 'alertConfirm'
  | 'alertChanged'
  | 'alertLeaving'
  | 'alertRecoveryRequested'
  | 'alertRecoveryConfirmed'
  | 'alertRecovered'
  | 'alertRecoveryCancelled'
  | 'alertGuardianAccepted'
  | 'alertGuardianConfirmed'
  | 'alertGuardianResigned'
  | 'alertGuardiansChanged'
  | 'alertKeyChanged'
  | 'alertFrozen'
  | 'alertConsentGiven'
  | 'alertConsentUsed'
  | 'alertConsentReads'
  | 'alertConsentEnding';

export type MailKind = GuardianMailKind | AlertMailKind;

/** A mail to one guardian. It stores no name, contact or link: those are read from the vault when it is sent. */
export interface NewMail {
  readonly kind: GuardianMailKind;
  readonly ownerId: string;
  readonly guardianId: string;
  /** The id of the invitation or the recovery request. */
  readonly aboutId: string;
  readonly language: Language;
  /** The hash of the client network that caused it; null if unknown. */
  readonly source: Buffer | null;
  readonly dueAt: Instant;
}

const REMINDER_MS = 48 * 3_600_000;

/** The invitation, sent at once, and a reminder, dropped if the guardian has accepted by then. */
export function invitationMails(mail: Omit<NewMail, 'kind' | 'dueAt'>, at: Instant): NewMail[] {
  const later = new Date(Date.parse(at) + REMINDER_MS).toISOString();
  return [
    { ...mail, kind: 'invitation', dueAt: at },
    { ...mail, kind: 'reminder', dueAt: later },
  ];
}

/** A mail about the same matter to the same guardian is stored once. */
export const saveMails = (mails: readonly NewMail[]): Statement => ({
  name: 'save-mails',
  text: `INSERT INTO mails (id, kind, owner_id, guardian_id, about_id, language, due_at, source)
         SELECT gen_random_uuid(), kind, owner_id, guardian_id, about_id, language, due_at, source
         FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::bytea[])
           AS m (kind, owner_id, guardian_id, about_id, language, due_at, source)
         ON CONFLICT DO NOTHING`,
  values: [
    mails.map(({ kind }) => kind),
    mails.map(({ ownerId }) => ownerId),
    mails.map(({ guardianId }) => guardianId),
    mails.map(({ aboutId }) => aboutId),
    mails.map(({ language }) => language),
    mails.map(({ dueAt }) => dueAt),
    mails.map(({ source }) => source),
  ],
});

/** A mail to an address of a holder, which is read from the vault when it is sent. */
export interface NewAlertMail {
  readonly kind: AlertMailKind;
  readonly ownerId: string;
  readonly addressId: string;
  /** Unique for the kind and the address. */
  readonly aboutId: string;
  readonly happenedAt: Instant;
  readonly language: Language;
  /** The hash of the client network that caused it; null where it does not count. */
  readonly source: Buffer | null;
  readonly dueAt: Instant;
}

export const saveAlertMails = (mails: readonly NewAlertMail[]): Statement => ({
  name: 'save-alert-mails',
  text: `INSERT INTO alert_mails (id, kind, owner_id, address_id, about_id, happened_at, language, due_at, source)
         SELECT gen_random_uuid(), kind, owner_id, address_id, about_id, happened_at, language, due_at, source
         FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::timestamptz[],
           $8::bytea[]) AS m (kind, owner_id, address_id, about_id, happened_at, language, due_at, source)
         ON CONFLICT DO NOTHING`,
  values: [
    mails.map(({ kind }) => kind),
    mails.map(({ ownerId }) => ownerId),
    mails.map(({ addressId }) => addressId),
    mails.map(({ aboutId }) => aboutId),
    mails.map(({ happenedAt }) => happenedAt),
    mails.map(({ language }) => language),
    mails.map(({ dueAt }) => dueAt),
    mails.map(({ source }) => source),
  ],
});

/**
 * Deletes the mails of destroyed identities. Skips a mail that is being sent: its row is locked, and a commit must not
 * wait for a mail server.
 */
export const deleteMailsOf = (ownerIds: readonly string[]): readonly Statement[] =>
  MAIL_TABLES.map((table) => ({
    name: `forget-${table}`,
    text: `DELETE FROM ${table} WHERE id IN
             (SELECT id FROM ${table} WHERE owner_id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED)`,
    values: [ownerIds],
  }));

/** Mails to guardians, and to the addresses of holders. */
export const MAIL_TABLES = ['mails', 'alert_mails'] as const;
export type MailTable = (typeof MAIL_TABLES)[number];
