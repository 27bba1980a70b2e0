import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  readonly from: string;
  /** The recipients of the envelope. */
  readonly to: readonly string[];
  readonly raw: string;
  readonly email: Email;
}

export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Decides the server's reply at each step: null accepts, and a promise that never settles hangs. */
export type Rule = (step: 'connect' | 'recipient' | 'message', address: string) => Refusal | null | Promise<null>;

export interface TestMailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** The credentials received, as `user:password`. */
  readonly logins: readonly string[];
  rule: Rule;
  /** Resets every connection. */
  cut(): void;
  stop(): Promise<void>;
}

const refused = ({ code, text }: Refusal) => Object.assign(new Error(text), { responseCode: code });

/**
 * A real SMTP server on loopback that stores received mails. `tls` offers STARTTLS with a self-signed certificate.
 */
export async function startMailServer({ port = 0, tls = false } = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const logins: string[] = [];
  const sockets = new Set<Socket>();
  const rules = { rule: (() => null) as Rule };
  const replyTo = async (...args: Parameters<Rule>) => {
    const verdict = await rules.rule(...args);
    return verdict && refused(verdict);
  };
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      logins.push(`${auth.username}:${auth.password}`);
      done(null, { user: 'known' });
    },
    onConnect: (_session, done) => void replyTo('connect', '').then(done),
    onRcptTo: ({ address }, _session, done) => void replyTo('recipient', address).then(done),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const verdict = await replyTo('message', to.join());
        if (!verdict) {
          const raw = Buffer.concat(chunks).toString();
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          received.push({ from, to, raw, email: await PostalMime.parse(raw) });
        }
        done(verdict);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= new Promise<void>((resolve) => server.close(resolve));
    cut();
    return stopped;
  };
  onTestFinished(stop);
  return Object.assign(rules, { port: (server.server.address() as AddressInfo).port, received, logins, cut, stop });
}

/** A server that accepts connections and never replies. */
export async function startSilentServer(): Promise<{ port: number; connections(): number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return stopped;
  };
  onTestFinished(stop);
  return { port: (server.address() as AddressInfo).port, connections: () => connections, stop };
}
