import { isIP } from 'node:net';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Mailbox } from './address.ts';
import type { SmtpServer } from './smtp-url.ts';

export interface Message {
  /** The same for every attempt, so that a mailbox that gets it twice can show it once. */
  readonly messageId: string;
  /** Of the mail this one follows, or null. */
  readonly references: string | null;
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where the reader, or the reader's mail program, can ask for no more mail. */
  readonly unsubscribeUrl: string;
}

/**
 * What became of a message. `refused`: it, or its recipient, will never be taken. `deferred`: not this one, not now.
 * `unreachable`: the server takes nothing at the moment. `reason` names codes only: what a server says may quote an address.
 */
export type Delivery =
  | { readonly outcome: 'sent' | 'cut' }
  | { readonly outcome: 'refused' | 'deferred' | 'unreachable'; readonly reason: string };

export interface Smtp {
  /** `signal` gives the attempt up; it is then not known whether the message was taken. */
  deliver(message: Message, signal: AbortSignal): Promise<Delivery>;
  /** Ends every connection, at once. */
  close(): void;
}

/** All in ms. */
export interface SmtpTimeouts {
  /** For a connection and its greeting, each. */
  readonly connectMs: number;
  /** For an answer. */
  readonly responseMs: number;
  /** For one message in all. */
  readonly messageMs: number;
}

const CONNECTIONS = 2;
const IDLE_MS = 30_000;

/**
 * Connections to a mail server. TLS wherever the server offers it, with a certificate that is checked; credentials leave this
 * machine over TLS only.
 */
export function createSmtp(server: SmtpServer, from: Mailbox, timeouts: SmtpTimeouts): Smtp {
  const { host, port, secure, credentials } = server;
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    requireTLS: !secure && credentials !== null && !isThisMachine(host),
    ...(credentials ? { auth: credentials } : {}),
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.responseMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // What a connection has to say arrives with the message it fails; one that idles has nothing to say.
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
        return signal.aborted ? { outcome: 'cut' } : failure(error as NodemailerError);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/** RFC 5321 §4.2.1 and RFC 3463; a refusal by policy (X.7.X: no relaying, a block list) is one that the operator can mend. */
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
