import type { ClientBase } from 'pg';
import { VAULT_LOCK } from '../../server/features/vault/vault.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { requireStopped } from '../../server/platform/command-line/require-stopped.ts';

/**
 * Locks the vault until the connection ends. The lock prevents services from starting; none may be running.
 * @throws {CommandError} if a service or another rotation is running.
 */
export async function holdVault(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [VAULT_LOCK]);
  if (!rows[0]?.held) {
    throw new CommandError(
      'Another rotate-vault-key or forget-key is running on this database, or was killed a moment ago. Nothing was changed; try again in a minute.',
    );
  }
  await requireStopped(client);
}
