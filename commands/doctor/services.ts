import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import { sessionOptions } from '../../server/features/mail/smtp.ts';
import { type Check, failure, reasonOf, warning } from './check.ts';

const TIMEOUT_MS = 10_000;

/** Connects, greets, upgrades to TLS and authenticates, as for a mail; sends nothing. */
export const mail: Check = {
  name: 'mail',
  skips: ({ SMTP_URL }) => (SMTP_URL ? null : 'SMTP_URL is not set, and holders share their links themselves'),
  async run({ SMTP_URL }) {
    if (!SMTP_URL) return [];
    const transport = createTransport(sessionOptions(SMTP_URL, { connectMs: TIMEOUT_MS, responseMs: TIMEOUT_MS }));
    try {
      await transport.verify();
      return [];
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const reason = [code, responseCode].filter(Boolean).join(' ') || reasonOf(error);
      const remedy =
        code === 'EAUTH'
          ? 'Correct the user and the password in SMTP_URL, percent-encoded.'
          : 'Check host, port and smtp:// or smtps:// in SMTP_URL, and the certificate of the server.';
      return [failure(`The mail server does not accept a session (${reason}).`, remedy)];
    } finally {
      transport.close();
    }
  },
};

/** The limiter counts in Lua scripts, and evicted counters are forgotten limits. */
export const redis: Check = {
  name: 'Redis',
  skips({ REDIS_URL, UPSTASH_REDIS_REST_URL }) {
    if (REDIS_URL) return null;
    return UPSTASH_REDIS_REST_URL
      ? 'requests are counted in UPSTASH_REDIS_REST_URL, which is only checked by the service'
      : 'REDIS_URL is not set, and each machine counts for itself';
  },
  async run({ REDIS_URL = '' }) {
    const client = new Redis(REDIS_URL, {
      lazyConnect: true,
      connectTimeout: TIMEOUT_MS,
      commandTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    let last: unknown = null;
    client.on('error', (error) => {
      last = error;
    });
    try {
      await client.connect();
      await client.ping();
      const answer = await client.eval('return 1', 0);
      if (answer !== 1) return [failure('Redis does not run scripts as expected.', 'Use Redis or Valkey itself.')];
      const policy = /maxmemory_policy:(\S+)/.exec(await client.info('memory'))?.[1];
      if (policy === undefined || policy === 'noeviction') return [];
      return [
        warning(
          `Redis forgets counters when its memory is full (maxmemory-policy ${policy}), and with them the limits.`,
          'Set maxmemory-policy to noeviction.',
        ),
      ];
    } catch (error) {
      const remedy =
        'Check REDIS_URL and its password, and that EVAL is permitted. Until then every limited request gets 503.';
      return [failure(`Redis cannot be used (${reasonOf(last ?? error)}).`, remedy)];
    } finally {
      client.disconnect();
    }
  },
};
