import type { Pool } from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { isRefusal } from '../../protocol/errors.ts';
import type { KeyMessage } from '../../protocol/ledger/relayer-keys.ts';
import { SuccessionError } from '../../protocol/ledger/relayer-keys.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { keepAddressHashKey } from '../../server/features/mail/address-hash-key.ts';
import { appendKeyEntry } from '../../server/ledger/append-key-entry.ts';
import type { ChainedEntry } from '../../server/ledger/chain.ts';
import { type Fence, openFence } from '../../server/ledger/fence.ts';
import { hasLedger } from '../../server/ledger/head.ts';
import { findRelayerKey, type OpenLedger } from '../../server/ledger/open-ledger.ts';
import { existingRelayerKey, openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { existingVaultKey } from '../../server/platform/data-folder/key-files.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createPool, LONG_RUNNING } from '../../server/platform/db/pool.ts';

/** The ledger of a service, which may run meanwhile. */
export interface KeyLedger extends OpenLedger {
  readonly config: Config;
  readonly isRunning: boolean;
  /** Adds the entry of a change. @throws {CommandError} if it is not allowed; nothing was changed then */
  append(message: KeyMessage): Promise<ChainedEntry>;
}

const POOL_SIZE = 2;

/** @throws {CommandError | ConfigError} if there is no ledger, or the key files do not have its key */
export async function openKeyLedger(parts: CommandParts): Promise<KeyLedger> {
  const config = readConfig(parts.env);
  existingRelayerKey(config);
  const running = await runningService(config);
  const pool = createPool(await openDatabase(config, running, parts), POOL_SIZE, () => undefined, {
    connectMs: LONG_RUNNING.connectMs,
  });
  parts.addStep('the database connections', () => pool.end());
  await migrate(pool);
  if (!(await hasLedger(pool))) {
    throw new CommandError('The database has no ledger yet: start the service once, and run this again.');
  }
  const ledger = await findRelayerKey(pool, config);
  const fence = await openFence(config.DATA_DIR, ledger.head.ledgerId, () => undefined);
  return {
    ...ledger,
    config,
    isRunning: running !== null,
    append: (message) => append(pool, fence, { ...ledger, config }, message),
  };
}

async function append(
  pool: Pool,
  fence: Fence,
  { relayer, config }: Pick<KeyLedger, 'relayer' | 'config'>,
  message: KeyMessage,
): Promise<ChainedEntry> {
  const keys = { vaultKey: existingVaultKey(config), relayerKey: relayer.privateKey };
  try {
    const alongside = (client: Parameters<typeof keepAddressHashKey>[0]) => keepAddressHashKey(client, keys);
    const entry = await appendKeyEntry({ pool, fence, relayer, alongside }, message);
    await fence.record();
    return entry;
  } catch (error) {
    if (error instanceof SuccessionError) throw new CommandError(`${error.message} Nothing was changed.`);
    if (isRefusal(error)) throw new CommandError(fence.problem() ?? error.message);
    throw error;
  }
}
