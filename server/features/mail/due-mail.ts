import type { ClientBase } from 'pg';
import type { Language } from '../../../messages/languages.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { MailKind } from './mail.ts';

export interface DueMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly ownerId: string;
  readonly guardianId: string;
  readonly aboutId: string;
  readonly language: Language;
  /** The hash of the client network that caused it; null if unknown. */
  readonly source: Buffer | null;
  readonly attempts: number;
}

/** Locks the mail that has been due longest and is not locked by another process. `now` in ms. */
export async function lockDueMail(client: ClientBase, now: number): Promise<DueMail | null> {
  const { rows } = await client.query<DueMail>({
    name: 'take-due-mail',
    text: `SELECT id, kind, owner_id AS "ownerId", guardian_id AS "guardianId", about_id AS "aboutId", language, source,
             attempts
           FROM mails WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    values: [new Date(now)],
  });
  return rows[0] ?? null;
}

export async function dropMail(client: ClientBase, id: string): Promise<void> {
  await client.query({ name: 'drop-mail', text: 'DELETE FROM mails WHERE id = $1', values: [id] });
}

export async function deferMail(client: ClientBase, id: string, attempts: number, dueAt: Instant): Promise<void> {
  const text = 'UPDATE mails SET attempts = $2, due_at = $3 WHERE id = $1';
  await client.query({ name: 'defer-mail', text, values: [id, attempts, dueAt] });
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
    text: 'SELECT count(*) AS waiting, min(due_at) AS first FROM mails',
  });
  const { waiting = 0, first = null } = rows[0] ?? {};
  return { waiting, overdueSeconds: first === null ? 0 : Math.max(0, (now - Date.parse(first)) / 1000) };
}
