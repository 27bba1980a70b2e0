import { isIP } from 'node:net';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Mailbox } from '../../settings/mailbox.ts';
import type { SmtpServer } from '../../settings/smtp-url.ts';

export interface Message {
  /** The same for every attempt, so that a mailbox can show a repeated mail once. */
  readonly messageId: string;
  /** The Message-ID of the mail that this one follows, or null. */
  readonly references: string | null;
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link to unsubscribe, for the reader and the reader's mail program. */
  readonly unsubscribeUrl: string;
}

/**
 * The outcome of an attempt. `refused`: permanently, for this message or recipient. `deferred`: this message, for now.
 * `unreachable`: the server accepts nothing now. `reason` holds codes only, because a reply may quote an address.
 */
export type Delivery =
  | { readonly outcome: 'sent' | 'cancelled' }
  | { readonly outcome: 'refused' | 'deferred' | 'unreachable'; readonly reason: string };

export interface Smtp {
  /** `signal` cancels the attempt; it is then unknown whether the message was sent. */
  deliver(message: Message, signal: AbortSignal): Promise<Delivery>;
  /** Closes every connection at once. */
  close(): void;
}

/** All in ms. */
export interface SmtpTimeouts {
  /** For a connection and its greeting, each. */
  readonly connectMs: number;
  /** For a reply. */
  readonly responseMs: number;
  /** For one message in total. */
  readonly messageMs: number;
}

const CONNECTIONS = 2;
const IDLE_MS = 30_000;

/**
 * Of one session with a mail server. Uses TLS wherever the server offers it and checks the certificate; sends credentials
 * over TLS only.
 */
export const sessionOptions = (
  { host, port, secure, credentials }: SmtpServer,
  timeouts: Pick<SmtpTimeouts, 'connectMs' | 'responseMs'>,
) => ({
  host,
  port,
  secure,
  requireTLS: !secure && credentials !== null && !isThisMachine(host),
  ...(credentials ? { auth: credentials } : {}),
  connectionTimeout: timeouts.connectMs,
  dnsTimeout: timeouts.connectMs,
  greetingTimeout: timeouts.connectMs,
  socketTimeout: timeouts.responseMs,
  socketCloseTimeout: 0,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Creates pooled connections to a mail server. */
export function createSmtp(server: SmtpServer, from: Mailbox, timeouts: SmtpTimeouts): Smtp {
  const transport = createTransport({
    ...sessionOptions(server, timeouts),
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
  });
  // Errors of a connection are reported with the message that fails; errors of an idle one do not matter.
  transport.on('error', () => undefined);

  return {
    async deliver({ to, references, language, unsubscribeUrl, ...message }, signal) {
      const limit = AbortSignal.timeout(timeouts.messageMs);
      try {
        await transport.sendMail({
          ...message,
          ...(references ? { references } : {}),
          from: { ...from },
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': language,
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          xMailer: false,
          signal: AbortSignal.any([signal, limit]),
        });
        return { outcome: 'sent' };
      } catch (error) {
        return signal.aborted ? { outcome: 'cancelled' } : failure(error as NodemailerError);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/**
 * RFC 5321 §4.2.1, RFC 3463. A refusal by policy (X.7.X: no relaying, a block list) can be fixed by the operator, so it
 * is retried.
 */
function failure({ code, originalCode, command, responseCode, response, permanent }: NodemailerError): Delivery {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response ?? '')?.[1];
  const reason = [code, originalCode, command, responseCode, enhanced].filter((part) => part !== undefined).join(' ');
  const ofThisMessage = (command === 'RCPT TO' || command === 'DATA') && responseCode !== undefined;
  if (!ofThisMessage || responseCode === 421) return { outcome: 'unreachable', reason };
  const byPolicy = enhanced?.split('.')[1] === '7';
  return { outcome: permanent && !byPolicy ? 'refused' : 'deferred', reason };
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
