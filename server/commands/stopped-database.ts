import type { ClientBase, Pool } from 'pg';
import type { CommandParts } from '../audit/verify.ts';
import type { Config } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { createPool, isConnectionLoss, LONG_RUNNING } from '../db/pool.ts';
import { openDatabase, runningService } from '../operator/operator.ts';
import { CommandError } from '../operator/options.ts';
import { runningProcess } from '../running-file.ts';
import { holdVault } from './vault-key/hold-vault.ts';

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
