import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startDevnet } from '../network/devnet/devnet.ts';
import type { loadWallet } from '../network/wallet.ts';
import { loadBackupKey, loadRelayerKey } from '../platform/data-folder/key-files.ts';
import { removeRunningFile, writeRunningFile } from '../platform/data-folder/running-file.ts';
import { isOnDiskOfData } from '../platform/data-folder/same-disk.ts';
import { type Backups, startBackups } from '../platform/db/backup/schedule.ts';
import { connectionsOf } from '../platform/db/connections.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/db/postgres/embedded-postgres.ts';
import type { Shutdown } from '../platform/process/shutdown.ts';

/** A wallet's file, or the key of the devnet's wallet. */
type WalletSource = Parameters<typeof loadWallet>[0];

/** The database and the storage network that the service uses. */
export interface Backends {
  readonly databaseUrl: string;
  /** The directory of the embedded database, or null. */
  readonly databaseDirectory: string | null;
  readonly gateway: {
    /** The first one is used for posting, and is published. */
    readonly urls: readonly string[];
    readonly kind: 'devnet' | 'arweave';
    readonly wallet: WalletSource;
  };
}

export interface StartedBackends {
  readonly backends: Backends;
  /** The backups of the embedded database, if BACKUP_DIR is set. */
  readonly backups: Backups | null;
}

interface BackendParts {
  readonly log: Logger;
  readonly report: (message: string) => void;
  readonly shutdown: Shutdown;
  /** The built backup.js. */
  readonly backupProgram: URL;
}

/** Starts the embedded database and devnet where none is configured, and publishes both to the operator's commands. */
export async function startBackends(
  config: Config,
  { log, report, shutdown, backupProgram }: BackendParts,
): Promise<StartedBackends> {
  const embedded = config.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({
        dataDir: config.DATA_DIR,
        log: report,
        archive: config.BACKUP_DIR !== undefined,
        connections: connectionsOf(config.PROCESSES),
      });
  let backups: Backups | null = null;
  shutdown.addStep('the embedded database', async () => {
    if (await embedded?.stop()) await backups?.finish();
  });
  backups = embedded && (await scheduledBackups(config, embedded, log, backupProgram));
  shutdown.addStep('the backups', async () => backups?.stop());
  const gateway = await storageNetwork(config, log, shutdown);
  const databaseUrl = config.DATABASE_URL ?? embedded?.url ?? '';
  writeRunningFile(config.DATA_DIR, {
    pid: process.pid,
    gateway_url: gateway.urls[0] ?? '',
    database_url: databaseUrl,
  });
  shutdown.addStep('the running file', async () => removeRunningFile(config.DATA_DIR));
  return { backends: { databaseUrl, databaseDirectory: embedded?.directory ?? null, gateway }, backups };
}

async function scheduledBackups(
  config: Config,
  source: EmbeddedPostgres,
  log: Logger,
  program: URL,
): Promise<Backups | null> {
  const { BACKUP_DIR: directory, BACKUP_EVERY: everyMs, BACKUP_KEEP: keepMs, BACKUP_MAX_RATE: maxRate } = config;
  if (directory === undefined) return null;
  // Not a problem for /ready: where there is one disk only, it would be degraded for ever.
  if (await isOnDiskOfData(directory, config.DATA_DIR)) {
    log.warn('BACKUP_DIR is on the same file system as DATA_DIR: use another disk, and check that it is mounted');
  }
  const key = loadBackupKey(config, { create: true });
  // The first backup reads it, perhaps before the service has created it.
  loadRelayerKey(config);
  return startBackups({ source, directory, key, everyMs, keepMs, maxRate, log, program });
}

async function storageNetwork(config: Config, log: Logger, shutdown: Shutdown): Promise<Backends['gateway']> {
  if (config.ARWEAVE_GATEWAY_URL && config.ARWEAVE_WALLET_FILE) {
    return { urls: config.ARWEAVE_GATEWAY_URL, kind: 'arweave', wallet: config.ARWEAVE_WALLET_FILE };
  }
  const directory = join(config.DATA_DIR, 'devnet');
  const devnet = await startDevnet({ directory, blockMs: config.DEVNET_BLOCK_MS, log });
  shutdown.addStep('the embedded storage network', devnet.stop);
  return { urls: [devnet.url], kind: 'devnet', wallet: devnet.wallet };
}
