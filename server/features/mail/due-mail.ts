import type { ClientBase } from 'pg';
import type { Language } from '../../../messages/languages.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { MailKind, MailTable } from './mail.ts';

export interface DueMail {
  readonly table: MailTable;
  readonly id: string;
  readonly kind: MailKind;
  readonly ownerId: string;
  /** The id of the guardian, or of the holder's address. */
  readonly recipientId: string;
  readonly aboutId: string;
  /** When it happened, of an alert. */
  readonly happenedAt: Instant | null;
  readonly language: Language;
  /** The hash of the client network that caused it; null if unknown. */
  readonly source: Buffer | null;
  readonly attempts: number;
}

/**
 * Locks the mail that has been due longest and is not locked by another process. Alerts come first, and last the mails to new addresses,
 * of which strangers can cause many. `now` in ms.
 */
export async function lockDueMail(client: ClientBase, now: number): Promise<DueMail | null> {
  const { rows } = await client.query<DueMail>({
    name: 'take-due-mail',
    text: `WITH alert AS (SELECT * FROM alert_mails WHERE due_at <= $1 AND kind <> 'alertConfirm'
                          ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED),
             mail AS (SELECT * FROM mails WHERE due_at <= $1 AND NOT EXISTS (SELECT FROM alert)
                      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED),
             address AS (SELECT * FROM alert_mails WHERE due_at <= $1 AND kind = 'alertConfirm'
                           AND NOT EXISTS (SELECT FROM alert) AND NOT EXISTS (SELECT FROM mail)
                         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           SELECT 'alert_mails' AS table, id, kind, owner_id AS "ownerId", address_id AS "recipientId",
             about_id AS "aboutId", happened_at AS "happenedAt", language, source, attempts
           FROM (SELECT * FROM alert UNION ALL SELECT * FROM address) AS first
           UNION ALL SELECT 'mails', id, kind, owner_id, guardian_id, about_id::text, NULL, language, source, attempts
           FROM mail`,
    values: [new Date(now)],
  });
  return rows[0] ?? null;
}

type Place = Pick<DueMail, 'table' | 'id'>;

export async function dropMail(client: ClientBase, { table, id }: Place): Promise<void> {
  await client.query({ name: `drop-${table}`, text: `DELETE FROM ${table} WHERE id = $1`, values: [id] });
}

export async function deferMail(
  client: ClientBase,
  { table, id }: Place,
  attempts: number,
  dueAt: Instant,
): Promise<void> {
  const text = `UPDATE ${table} SET attempts = $2, due_at = $3 WHERE id = $1`;
  await client.query({ name: `defer-${table}`, text, values: [id, attempts, dueAt] });
}

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const MAX_RETRY_MS = 72 * 3_600_000;

/** The delay after the nth failed attempt (from 1), in ms: doubles up to an hour; null after three days of attempts. */
export function retryDelay(failed: number): number | null {
  let waited = 0;
  let wait = FIRST_MS;
  for (let attempt = 1; attempt < failed; attempt++) {
    waited += wait;
    wait = Math.min(wait * 2, LONGEST_MS);
  }
  return waited < MAX_RETRY_MS ? wait : null;
}

/** How many mails are in the outbox, and for how many seconds the first one has been due. */
export async function readMailQueue(
  db: Pick<ClientBase, 'query'>,
  now: number,
): Promise<{ waiting: number; overdueSeconds: number }> {
  const { rows } = await db.query<{ waiting: number; first: Instant | null }>({
    name: 'read-mail-queue',
    text: `SELECT count(*) AS waiting, min(due_at) AS first
           FROM (SELECT due_at FROM mails UNION ALL SELECT due_at FROM alert_mails) AS queued`,
  });
  const { waiting = 0, first = null } = rows[0] ?? {};
  return { waiting, overdueSeconds: first === null ? 0 : Math.max(0, (now - Date.parse(first)) / 1000) };
}
