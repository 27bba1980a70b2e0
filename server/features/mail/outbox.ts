import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/db/clock.ts';
import { isConnectionLoss } from '../../platform/db/pool.ts';
import { alignedMs } from '../../platform/process/notifier.ts';
import type { Mailbox } from '../../settings/mailbox.ts';
import type { SmtpServer } from '../../settings/smtp-url.ts';
import type { Vault } from '../vault/vault.ts';
import type { AddressHashes } from './address-hashes.ts';
import { type Allowance, countMail, isDeferrable } from './allowance.ts';
import { type DueMail, deferMail, dropMail, lockDueMail, retryDelay } from './due-mail.ts';
import { asHtml, asText } from './letters/render.ts';
import { writeLetter } from './letters/write.ts';
import type { MailKind } from './mail.ts';
import { hasOptedOut, unsubscribeUrl } from './opt-outs.ts';
import { readLetterInput } from './read-letter-input.ts';
import { createSmtp, type Delivery, type Message, type Smtp, type SmtpTimeouts } from './smtp.ts';

export interface OutboxParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly addressHashes: AddressHashes;
  readonly clock: Pick<Clock, 'now'>;
  /** The public URL, without a trailing slash. */
  readonly publicUrl: () => string;
  readonly server: SmtpServer;
  readonly from: Mailbox;
  /** Mails of each class sent in any 24 hours. See allowance.ts. */
  readonly perDay: number;
  readonly log: Logger;
  /** How each attempt ended, for the metrics. */
  readonly onAttempt?: (outcome: string) => void;
  /** The pause of an empty outbox, in ms. */
  readonly pauseMs?: number;
  readonly timeouts?: SmtpTimeouts;
}

export interface Outbox {
  /** What prevents sending, in a sentence; null if nothing does. */
  problem(): string | null;
  /** Waits shortly for mails being sent, then cancels them: they stay in the outbox. */
  stop(): Promise<void>;
}

/** Mails sent at the same time; each holds a database connection. */
const WORKERS = 2;
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const STOP_GRACE_MS = 2_000;
const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, responseMs: 20_000, messageMs: 45_000 };

/**
 * Sends the mails that are due; any number of processes may do so. Each mail is locked, sent and deleted in one
 * transaction: only if that fails between the server's reply and the commit is it sent again, with the same Message-ID.
 */
export function startOutbox(parts: OutboxParts): Outbox {
  const timeouts = parts.timeouts ?? TIMEOUTS;
  const smtp = createSmtp(parts.server, parts.from, timeouts);
  const stopping = new AbortController();
  const cancelling = new AbortController();
  let current: Problem | null = null;

  function recordStep(step: Step): void {
    if (typeof step === 'object') {
      const known = current?.sentence === step.sentence;
      if (!known) parts.log.warn({ reason: step.reason }, `${step.sentence} Mails stay in the outbox and are retried.`);
      current = step;
    } else if (current && (step === 'answered' || current.with === 'database')) {
      parts.log.info('the outbox works again');
      current = null;
    }
  }

  async function work(): Promise<void> {
    const idlePause = parts.pauseMs ?? PAUSE_MS;
    let pause = idlePause;
    while (!stopping.signal.aborted) {
      const step = await sendNext({ ...parts, smtp, timeouts }, cancelling.signal).catch(databaseProblem);
      recordStep(step);
      pause = typeof step === 'object' ? Math.min(pause * 2, MAX_PAUSE_MS) : idlePause;
      if (step === 'answered' || step === 'dropped') continue;
      await sleep(alignedMs(pause), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const workers = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    problem: () => current?.sentence ?? null,
    async stop() {
      stopping.abort();
      const grace = setTimeout(() => cancelling.abort(), STOP_GRACE_MS);
      await workers;
      clearTimeout(grace);
      smtp.close();
    },
  };
}

interface Problem {
  readonly with: 'server' | 'database';
  readonly sentence: string;
  /** Error codes only. */
  readonly reason: string;
}

/** `answered`: the server replied for a mail, whatever the reply. `dropped`: a mail was obsolete. */
type Step = 'idle' | 'answered' | 'dropped' | Problem;

const databaseProblem = (error: unknown): Problem => ({
  with: 'database',
  sentence: isConnectionLoss(error) ? 'The database is not reachable.' : 'The outbox failed unexpectedly.',
  reason: nameOf(error),
});

/** Never the error's message, which may quote a mail. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? [error.name, (error as NodeJS.ErrnoException).code].filter(Boolean).join(' ') : typeof error;

type SendParts = OutboxParts & { readonly smtp: Smtp; readonly timeouts: SmtpTimeouts };

async function sendNext(parts: SendParts, signal: AbortSignal): Promise<Step> {
  const client = await parts.pool.connect();
  let broken: Error | undefined;
  try {
    const mail = await begin(client, parts);
    const delivery = mail && (await attempt(parts, client, mail, signal));
    if (!delivery || delivery.outcome === 'cancelled') {
      await client.query('ROLLBACK');
      return 'idle';
    }
    parts.onAttempt?.(delivery.outcome);
    return await settle(parts, client, mail, delivery);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The pool ends idle transactions after seconds, and a mail server may take longer. */
async function begin(client: ClientBase, { clock, timeouts }: SendParts): Promise<DueMail | null> {
  const allowed = timeouts.messageMs + 15_000;
  const [, , mail] = await Promise.all([
    client.query('BEGIN'),
    client.query(`SET LOCAL idle_in_transaction_session_timeout = ${allowed}`),
    lockDueMail(client, clock.now()),
  ]);
  return mail;
}

type Attempt =
  | Delivery
  | { readonly outcome: 'obsolete' }
  | { readonly outcome: 'limited'; readonly reason: Limit }
  | { readonly outcome: 'failed'; readonly reason: string };

type Limit = Exclude<Allowance, 'granted' | 'busy'>;

async function attempt(parts: SendParts, client: ClientBase, mail: DueMail, signal: AbortSignal): Promise<Attempt> {
  let composed: Composed | null;
  try {
    composed = await compose(parts, client, mail);
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    return { outcome: 'failed', reason: nameOf(error) };
  }
  if (!composed || (await hasOptedOut(client, composed.recipient))) return { outcome: 'obsolete' };
  const { perDay, clock } = parts;
  const allowance = await countMail({ client, recipient: composed.recipient, perDay, now: clock.now() }, mail);
  if (allowance === 'busy') return { outcome: 'cancelled' };
  if (allowance !== 'granted') return { outcome: 'limited', reason: allowance };
  return parts.smtp.deliver(composed.message, signal);
}

interface Composed {
  readonly recipient: Buffer;
  readonly message: Message;
}

async function compose(parts: SendParts, client: ClientBase, mail: DueMail): Promise<Composed | null> {
  const { vault, addressHashes, from } = parts;
  const publicUrl = parts.publicUrl();
  const found = await readLetterInput({ client, vault, publicUrl, now: parts.clock.now() }, mail);
  if (!found) return null;
  const recipient = addressHashes.recipient(found.address);
  const unsubscribe = unsubscribeUrl(publicUrl, addressHashes.unsubscribeToken(recipient));
  const letter = writeLetter(mail.kind, mail.language, { ...found.occasion, unsubscribeUrl: unsubscribe });
  const message = {
    messageId: messageId(mail.kind, mail, from),
    references: mail.kind === 'reminder' ? messageId('invitation', mail, from) : null,
    to: found.address,
    language: mail.language,
    subject: letter.subject,
    text: asText(letter, publicUrl),
    html: asHtml(letter, publicUrl, mail.language),
    unsubscribeUrl: unsubscribe,
  };
  return { recipient, message };
}

function messageId(kind: MailKind, { recipientId, aboutId }: DueMail, from: Mailbox): string {
  const digest = hash('sha256', `perpetua-mail:${kind}:${recipientId}:${aboutId}`);
  return `<${digest.slice(0, 40)}@${from.address.split('@')[1]}>`;
}

/** Deletes a mail that was sent, refused or is obsolete; defers any other. */
async function settle(
  { clock, log }: SendParts,
  client: ClientBase,
  mail: DueMail,
  result: Exclude<Attempt, { outcome: 'cancelled' }>,
): Promise<Step> {
  const { id, kind, attempts } = mail;
  const { outcome } = result;
  const isDropped = outcome === 'obsolete' || outcome === 'refused' || (outcome === 'limited' && !isDeferrable(kind));
  const over = outcome === 'sent' || isDropped;
  const wait = over ? null : retryDelay(attempts + 1);
  const dueAt = wait === null ? null : new Date(clock.now() + wait).toISOString();
  await Promise.all([
    dueAt === null ? dropMail(client, mail) : deferMail(client, mail, attempts + 1, dueAt),
    client.query('COMMIT'),
  ]);
  const details = { mail: id, kind, reason: 'reason' in result ? result.reason : null };
  if (outcome === 'refused') log.warn(details, 'a mail was refused for good and is dropped');
  else if (!over && wait === null) log.warn(details, 'a mail could not be sent for three days and is dropped');
  if (outcome === 'limited' && attempts === 0) log.warn(details, 'a mail was held back: too many in a day');
  if (outcome === 'failed' && attempts === 0) log.error(details, 'a mail could not be written');
  return stepAfter(result);
}

function stepAfter(result: Exclude<Attempt, { outcome: 'cancelled' }>): Step {
  switch (result.outcome) {
    case 'obsolete':
    case 'limited':
    case 'failed':
      return 'dropped';
    case 'unreachable':
      return { with: 'server', sentence: 'The mail server takes no mail at the moment.', reason: result.reason };
    default:
      return 'answered';
  }
}
