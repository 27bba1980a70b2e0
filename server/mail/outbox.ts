import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isConnectionLoss } from '../db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import type { Mailbox } from './address.ts';
import type { AddressHashes } from './address-hashes.ts';
import { type Allowance, countMail, isDeferrable } from './allowance.ts';
import { type DueMail, deferMail, dropMail, lockDueMail, retryDelay } from './due-mail.ts';
import { asHtml, asText } from './letters/render.ts';
import { writeLetter } from './letters/write.ts';
import type { MailKind } from './mail.ts';
import { hasOptedOut, unsubscribeUrl } from './opt-outs.ts';
import { readLetterInput } from './read-letter-input.ts';
import { createSmtp, type Delivery, type Message, type Smtp, type SmtpTimeouts } from './smtp.ts';
import type { SmtpServer } from './smtp-url.ts';

export interface OutboxParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly addressHashes: AddressHashes;
  readonly clock: Pick<Clock, 'now'>;
  /** Where people reach the service; without a slash at its end. */
  readonly publicUrl: () => string;
  readonly server: SmtpServer;
  readonly from: Mailbox;
  /** How many mails of each class are sent in any 24 hours. See allowance.ts. */
  readonly perDay: number;
  readonly log: Logger;
  /** How long an empty outbox rests, in ms. */
  readonly pauseMs?: number;
  readonly timeouts?: SmtpTimeouts;
}

export interface Outbox {
  /** What keeps mails from being sent, in a sentence; null when nothing does. */
  problem(): string | null;
  /** Lets what is being sent finish if it does so shortly, and gives up the rest: it stays in the outbox. */
  stop(): Promise<void>;
}

/** How many mails are under way at once; each holds a connection to the database meanwhile. */
const LANES = 2;
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const STOP_GRACE_MS = 2_000;
const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, responseMs: 20_000, messageMs: 45_000 };

/**
 * Sends the mails that are due, whatever the number of processes that do. Each is taken, sent and deleted in one transaction:
 * only where that breaks between the server's word and the commit is it sent again, under the same Message-ID.
 */
export function startOutbox(parts: OutboxParts): Outbox {
  const timeouts = parts.timeouts ?? TIMEOUTS;
  const smtp = createSmtp(parts.server, parts.from, timeouts);
  const stopping = new AbortController();
  const givingUp = new AbortController();
  let trouble: Trouble | null = null;

  function note(step: Step): void {
    if (typeof step === 'object') {
      const known = trouble?.sentence === step.sentence;
      if (!known) parts.log.warn({ reason: step.reason }, `${step.sentence} Mails wait and are tried again.`);
      trouble = step;
    } else if (trouble && (step === 'taken' || trouble.with === 'database')) {
      parts.log.info('the outbox works again');
      trouble = null;
    }
  }

  async function lane(): Promise<void> {
    const atRest = parts.pauseMs ?? PAUSE_MS;
    let pause = atRest;
    while (!stopping.signal.aborted) {
      const step = await sendNext({ ...parts, smtp, timeouts }, givingUp.signal).catch(databaseTrouble);
      note(step);
      pause = typeof step === 'object' ? Math.min(pause * 2, MAX_PAUSE_MS) : atRest;
      if (step === 'taken' || step === 'dropped') continue;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    problem: () => trouble?.sentence ?? null,
    async stop() {
      stopping.abort();
      const grace = setTimeout(() => givingUp.abort(), STOP_GRACE_MS);
      await lanes;
      clearTimeout(grace);
      smtp.close();
    },
  };
}

interface Trouble {
  readonly with: 'server' | 'database';
  readonly sentence: string;
  /** Codes only. */
  readonly reason: string;
}

/** `taken`: the server answered for a mail, whatever it said. `dropped`: a mail had nothing to say any more. */
type Step = 'idle' | 'taken' | 'dropped' | Trouble;

const databaseTrouble = (error: unknown): Trouble => ({
  with: 'database',
  sentence: isConnectionLoss(error) ? 'The database is not reachable.' : 'The outbox has met an unexpected failure.',
  reason: nameOf(error),
});

/** Never the message: it could quote what a mail says. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? [error.name, (error as NodeJS.ErrnoException).code].filter(Boolean).join(' ') : typeof error;

type SendParts = OutboxParts & { readonly smtp: Smtp; readonly timeouts: SmtpTimeouts };

async function sendNext(parts: SendParts, signal: AbortSignal): Promise<Step> {
  const client = await parts.pool.connect();
  let broken: Error | undefined;
  try {
    const mail = await begin(client, parts);
    const delivery = mail && (await attempt(parts, client, mail, signal));
    if (!delivery || delivery.outcome === 'cut') {
      await client.query('ROLLBACK');
      return 'idle';
    }
    return await settle(parts, client, mail, delivery);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The pool's connections end a transaction that stands still for seconds, and a mail server may take longer than that. */
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
  | { readonly outcome: 'moot' }
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
  if (!composed || (await hasOptedOut(client, composed.recipient))) return { outcome: 'moot' };
  const { perDay, clock } = parts;
  const allowance = await countMail({ client, recipient: composed.recipient, perDay, now: clock.now() }, mail);
  if (allowance === 'busy') return { outcome: 'cut' };
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

function messageId(kind: MailKind, { guardianId, aboutId }: DueMail, from: Mailbox): string {
  const digest = hash('sha256', `perpetua-mail:${kind}:${guardianId}:${aboutId}`);
  return `<${digest.slice(0, 40)}@${from.address.split('@')[1]}>`;
}

/** Nothing to say any more is as good as said. */
async function settle(
  { clock, log }: SendParts,
  client: ClientBase,
  { id, kind, attempts }: DueMail,
  result: Exclude<Attempt, { outcome: 'cut' }>,
): Promise<Step> {
  const { outcome } = result;
  const isDropped = outcome === 'moot' || outcome === 'refused' || (outcome === 'limited' && !isDeferrable(kind));
  const over = outcome === 'sent' || isDropped;
  const wait = over ? null : retryDelay(attempts + 1);
  const dueAt = wait === null ? null : new Date(clock.now() + wait).toISOString();
  await Promise.all([
    dueAt === null ? dropMail(client, id) : deferMail(client, id, attempts + 1, dueAt),
    client.query('COMMIT'),
  ]);
  const told = { mail: id, kind, reason: 'reason' in result ? result.reason : null };
  if (outcome === 'refused') log.warn(told, 'a mail was refused for good and is dropped');
  else if (!over && wait === null) log.warn(told, 'a mail could not be sent for three days and is dropped');
  if (outcome === 'limited' && attempts === 0) log.warn(told, 'a mail was held back: too many in a day');
  if (outcome === 'failed' && attempts === 0) log.error(told, 'a mail could not be written');
  return stepAfter(result);
}

function stepAfter(result: Exclude<Attempt, { outcome: 'cut' }>): Step {
  switch (result.outcome) {
    case 'moot':
    case 'limited':
    case 'failed':
      return 'dropped';
    case 'unreachable':
      return { with: 'server', sentence: 'The mail server takes no mail at the moment.', reason: result.reason };
    default:
      return 'taken';
  }
}
