import type { Config } from '../../config.ts';
import { POOL_SIZES } from '../../platform/db/connections.ts';
import { createPool } from '../../platform/db/pool.ts';
import { type Outbox, type OutboxParts, startOutbox } from './outbox.ts';

type Given = 'publicUrl' | 'vault' | 'clock' | 'addressHashes' | 'onAttempt' | 'log';

interface DatabaseParts {
  readonly databaseUrl: string;
  /** Replaces the limit of waiting for a connection. */
  readonly databaseWaitMs?: number | undefined;
}

/**
 * Starts the outbox as configured; null without SMTP_URL or MAIL_FROM. It has its own pool: each mail in flight holds a
 * connection, possibly until a mail server times out.
 */
export function openOutbox(
  config: Config,
  { databaseUrl, databaseWaitMs, ...parts }: Pick<OutboxParts, Given> & DatabaseParts,
): Outbox | null {
  const { log } = parts;
  const { SMTP_URL: server, MAIL_FROM: from, MAILS_PER_DAY: perDay } = config;
  if (!server || !from) return null;
  if (!config.PUBLIC_URL) log.warn('mails will link to this machine: set PUBLIC_URL to where people reach the service');
  const lost = ({ message }: Error) => log.warn({ reason: message }, 'a database connection of the outbox was lost');
  const pool = createPool(databaseUrl, POOL_SIZES.mail, lost, { connectMs: databaseWaitMs });
  const outbox = startOutbox({ ...parts, pool, server, from, perDay });
  return {
    ...outbox,
    async stop() {
      await outbox.stop();
      await pool.end();
    },
  };
}
