import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { CommandError } from './options.ts';

/** The connections of a stopped service stay visible for a moment. */
const MAX_WAIT_MS = 2_000;
const POLL_MS = 100;

/**
 * Requires that no service uses the database.
 * @param client the only connection of this command, or a pool of one
 * @throws {CommandError} if another connection of Perpetua stays open
 */
export async function requireStopped(client: Pick<Pool, 'query'>): Promise<void> {
  for (const deadline = performance.now() + MAX_WAIT_MS; ; await sleep(POLL_MS)) {
    const connections = await otherConnections(client);
    if (connections === 0) return;
    if (performance.now() < deadline) continue;
    throw new CommandError(
      `Connections of Perpetua to this database are open: ${connections}. Stop every process of the service, on every machine, and name ` +
        'PostgreSQL itself instead of a pooler. Then run this again. Nothing was changed.',
    );
  }
}

async function otherConnections(client: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'perpetua' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
