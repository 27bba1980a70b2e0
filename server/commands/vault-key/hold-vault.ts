import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { CommandError } from '../../operator/options.ts';
import { VAULT_LOCK } from '../../vault/vault.ts';

/** A service that has just been stopped may still be seen for a moment. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 100;

/**
 * Keeps services away from the vault until the connection ends: first no other can start, then it is seen that none runs.
 * @throws {CommandError} where one runs, or another rotation.
 */
export async function holdVault(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [VAULT_LOCK]);
  if (!rows[0]?.held) {
    throw new CommandError(
      'Another rotation is under way on this database, or was killed a moment ago. Nothing was changed; try again in a minute.',
    );
  }
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(LOOK_AGAIN_MS)) {
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
