import type { ClientBase, Pool } from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import type { Config } from '../../server/config.ts';
import { VAULT_LOCK } from '../../server/features/vault/vault.ts';
import { openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { requireStopped } from '../../server/platform/command-line/require-stopped.ts';
import { runningProcess } from '../../server/platform/data-folder/running-file.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createPool, isConnectionLoss, LONG_RUNNING } from '../../server/platform/db/pool.ts';

const POOL_SIZE = 2;

/**
 * Works on the database while no service uses it. None can start until the command ends.
 * @param advice what to do after a lost connection
 * @throws {CommandError} if a service is running
 */
export async function withStoppedDatabase(
  config: Config,
  parts: CommandParts,
  advice: string,
  work: (client: ClientBase, pool: Pool) => Promise<void>,
): Promise<void> {
  const running = await runningService(config);
  if (running) {
    throw new CommandError(
      `The service is running (${runningProcess(config.DATA_DIR, running)}). Stop every process of it, and run this again. Nothing was changed.`,
    );
  }
  const pool = createPool(await openDatabase(config, null, parts), POOL_SIZE, () => undefined, LONG_RUNNING);
  parts.addStep('the database connections', () => pool.end());
  try {
    const client = await pool.connect();
    parts.addStep('the lock of the vault', async () => client.release(true));
    await holdVault(client);
    await migrate(pool);
    await work(client, pool);
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    throw new CommandError(`The database does not respond. ${advice}`);
  }
}

/**
 * Locks the vault until the connection ends. The lock prevents services from starting; none may be running.
 * @throws {CommandError} if a service or another rotation is running.
 */
async function holdVault(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [VAULT_LOCK]);
  if (!rows[0]?.held) {
    throw new CommandError(
      'Another rotate-vault-key or forget-key is running on this database, or was killed a moment ago. Nothing was changed; try again in a minute.',
    );
  }
  await requireStopped(client);
}
