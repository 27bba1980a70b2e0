import type { ClientBase } from 'pg';
import { CommandError } from '../../operator/options.ts';
import { requireStopped } from '../../operator/require-stopped.ts';
import { VAULT_LOCK } from '../../vault/vault.ts';

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
