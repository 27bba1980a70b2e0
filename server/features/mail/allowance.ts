import type { ClientBase } from 'pg';
import type { DueMail } from './due-mail.ts';
import type { MailKind } from './mail.ts';

/**
 * Mails are counted in classes, so that invitations, which anyone can cause, do not use up the allowance for mails
 * about a recovery.
 */
type MailClass = 'invitation' | 'address' | 'request' | 'outcome' | 'asked' | 'alarm' | 'alert';

const CLASSES: Readonly<Record<MailKind, MailClass>> = {
  invitation: 'invitation',
  reminder: 'invitation',
  recovery: 'request',
  confirmed: 'outcome',
  recovered: 'outcome',
  cancelled: 'outcome',
  // Anyone can name an address of somebody else, and invitations of strangers must not prevent that its owner does.
  alertConfirm: 'address',
  // Anyone can cause these, and a thief of the key others: neither uses up the allowance of what a holder must learn.
  alertRecoveryRequested: 'asked',
  alertRecoveryConfirmed: 'alarm',
  alertRecovered: 'alarm',
  alertRecoveryCancelled: 'alarm',
  alertKeyChanged: 'alarm',
  alertFrozen: 'alarm',
  alertChanged: 'alert',
  alertLeaving: 'alarm',
  alertGuardianAccepted: 'alert',
  alertGuardianConfirmed: 'alert',
  alertGuardianResigned: 'alert',
  alertGuardiansChanged: 'alert',
  alertConsentGiven: 'alert',
  alertConsentUsed: 'alert',
  alertConsentReads: 'alert',
  alertConsentEnding: 'alert',
};

/** Mails to one recipient in any 24 hours, whoever causes them. */
const TO_RECIPIENT: Readonly<Record<MailClass, number>> = {
  invitation: 3,
  address: 3,
  request: 10,
  outcome: 10,
  asked: 10,
  alarm: 20,
  alert: 20,
};

/** The share of a day's mails of a class that one client network may cause. */
const SHARE_OF_SOURCE = 0.1;

/** How long a mail counts. */
export const COUNTED_MS = 86_400_000;

/**
 * `granted`, also on a repeated attempt; `busy` while another mail to the same recipient is being sent; else the limit
 * that the mail would exceed.
 */
export type Allowance = 'granted' | 'busy' | 'recipient' | 'source' | 'all';

export interface AllowanceParts {
  readonly client: ClientBase;
  readonly recipient: Buffer;
  /** Mails of each class in any 24 hours. */
  readonly perDay: number;
  /** In ms. */
  readonly now: number;
}

/** Counts a mail, once for all attempts to send it, in the transaction of `client`. */
export async function countMail(
  { client, recipient, perDay, now }: AllowanceParts,
  { id, kind, source }: DueMail,
): Promise<Allowance> {
  const { rows: locks } = await client.query<{ free: boolean }>({
    name: 'hold-mail-recipient',
    text: `SELECT pg_try_advisory_xact_lock(hashtextextended('mail ' || encode($1, 'hex'), 0)) AS free`,
    values: [recipient],
  });
  if (!locks[0]?.free) return 'busy';
  const mailClass = CLASSES[kind];
  const { rows } = await client.query<{ granted: boolean; to: number; from: number; all: number }>({
    name: 'count-mails',
    text: `SELECT count(*) FILTER (WHERE mail_id = $1) > 0 AS granted, count(*) FILTER (WHERE recipient = $2) AS to,
             count(*) FILTER (WHERE source = $3) AS from, count(*) AS all
           FROM mail_counts WHERE class = $4 AND at > $5`,
    values: [id, recipient, source, mailClass, new Date(now - COUNTED_MS)],
  });
  const counted = rows[0] ?? { granted: false, to: 0, from: 0, all: 0 };
  if (counted.granted) return 'granted';
  if (counted.to >= TO_RECIPIENT[mailClass]) return 'recipient';
  if (counted.from >= Math.max(1, perDay * SHARE_OF_SOURCE)) return 'source';
  if (counted.all >= perDay) return 'all';
  await client.query({
    name: 'count-mail',
    text: `INSERT INTO mail_counts (mail_id, class, recipient, source, at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (mail_id) DO UPDATE SET at = EXCLUDED.at`,
    values: [id, mailClass, recipient, source, new Date(now)],
  });
  return 'granted';
}

/** Whether a mail over the limit is sent later. An invitation is not: the holder passes the link on as well. */
export const isDeferrable = (kind: MailKind): boolean => CLASSES[kind] !== 'invitation';

export async function deleteOldMailCounts(db: Pick<ClientBase, 'query'>, now: number): Promise<void> {
  const text = 'DELETE FROM mail_counts WHERE at < $1';
  await db.query({ name: 'delete-mail-counts', text, values: [new Date(now - COUNTED_MS)] });
}
