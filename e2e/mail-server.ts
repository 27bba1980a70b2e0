import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect } from './page-errors.ts';

export interface Mailbox {
  readonly port: number;
  /** The newest mail to an address with this subject, once it has arrived. */
  mail(address: string, subject: string): Promise<Email>;
  stop(): Promise<void>;
}

/** An SMTP server on loopback that keeps what it receives. */
export async function openMailbox(): Promise<Mailbox> {
  const received: Email[] = [];
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        received.push(await PostalMime.parse(Buffer.concat(chunks)));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    async mail(address, subject) {
      const find = () =>
        received.findLast((mail) => mail.subject === subject && mail.to?.some((to) => to.address === address));
      await expect.poll(find, `a mail to ${address}: ${subject}`).toBeDefined();
      return find() as Email;
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
