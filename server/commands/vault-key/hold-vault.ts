import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { CommandError } from '../../operator/options.ts';
import { VAULT_LOCK } from '../../vault/vault.ts';

/** The connections of a stopped service stay visible for a moment. */
const MAX_WAIT_MS = 2_000;
const POLL_MS = 100;

/**
 * Locks the vault until the connection ends. The lock prevents services from starting; none may be running.
 * @throws {CommandError} if a service or another rotation is running.
 */
export async function holdVault(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [VAULT_LOCK]);
  if (!rows[0]?.held) {
    throw new CommandError(
      'Another rotation is running on this database, or was killed a moment ago. Nothing was changed; try again in a minute.',
    );
  }
  for (const deadline = performance.now() + MAX_WAIT_MS; ; await sleep(POLL_MS)) {
    const connections = await otherConnections(client);
    if (connections === 0) return;
    if (performance.now() < deadline) continue;
    throw new CommandError(
      `The service is running: ${connections} connections of Perpetua to this database are open. ` +
        'Stop every process of it, and run this again. Nothing was changed.',
    );
  }
}

async function otherConnections(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'perpetua' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
