import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Config, ConfigError } from '../../config.ts';
import { createArweaveClient } from '../../network/arweave-client.ts';
import { startDevnet } from '../../network/devnet/devnet.ts';
import { loadWallet } from '../../network/wallet.ts';
import { type KeyPair, loadRelayerKey } from '../data-folder/key-files.ts';
import { type RunningServer, readRunningFile } from '../data-folder/running-file.ts';
import { startEmbeddedPostgres } from '../db/postgres/embedded-postgres.ts';

/** The storage network of a command: already running, or started for its duration. */
interface Network {
  readonly gatewayUrls: readonly string[];
  readonly wallet: string;
}

export interface CommandHooks {
  /** Registers a step to run before the command ends, in reverse order of registration. */
  addStep(name: string, step: () => Promise<unknown>): void;
  /** Prints a line to stderr. */
  note(line: string): void;
}

/** The relayer's key; a command never creates one. @throws {ConfigError} if there is none. */
export function existingRelayerKey(config: Config, otherwise = ''): KeyPair {
  const path = join(config.DATA_DIR, 'relayer.key');
  if (!config.RELAYER_KEY_FILE && !existsSync(path)) {
    throw new ConfigError(
      `There is no relayer key: RELAYER_KEY_FILE is not set, and ${path} does not exist. ` +
        `Set DATA_DIR to the data directory of the service${otherwise}.`,
    );
  }
  return loadRelayerKey(config);
}

/**
 * Opens the configured database, that of the running service, or the embedded one, which runs until the command ends. Call
 * it before openNetwork: only one process can lock the embedded database, which also protects the devnet next to it.
 */
export async function openDatabase(
  config: Config,
  running: RunningServer | null,
  hooks: CommandHooks,
): Promise<string> {
  if (config.DATABASE_URL) return config.DATABASE_URL;
  if (running) return running.database_url;
  const embedded = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: hooks.note,
    archive: config.BACKUP_DIR !== undefined,
  });
  hooks.addStep('the embedded database', embedded.stop);
  return embedded.url;
}

/** Opens the network and finds the wallet in the same way. */
export async function openNetwork(
  config: Config,
  running: RunningServer | null,
  hooks: CommandHooks,
): Promise<Network> {
  if (config.ARWEAVE_GATEWAY_URL && config.ARWEAVE_WALLET_FILE) {
    return { gatewayUrls: config.ARWEAVE_GATEWAY_URL, wallet: loadWallet(config.ARWEAVE_WALLET_FILE).address };
  }
  const directory = join(config.DATA_DIR, 'devnet');
  const walletFile = join(directory, 'wallet.json');
  if (!existsSync(walletFile)) {
    throw new ConfigError(
      `There is no storage network: ARWEAVE_GATEWAY_URL is not set, and ${directory} contains no devnet.`,
    );
  }
  if (running) return { gatewayUrls: [running.gateway_url], wallet: loadWallet(walletFile).address };
  const log = { info: () => undefined, warn: noteTo(hooks), error: noteTo(hooks) };
  const devnet = await startDevnet({ directory, blockMs: config.DEVNET_BLOCK_MS, log });
  hooks.addStep('the embedded storage network', devnet.stop);
  return { gatewayUrls: [devnet.url], wallet: loadWallet(devnet.wallet).address };
}

const noteTo =
  ({ note }: CommandHooks) =>
  (_: object, message: string): void =>
    note(message);

/**
 * The service that runs on this data directory, or null.
 * @throws {ConfigError} if it should run and does not respond: starting its parts a second time could corrupt data.
 */
export async function runningService(config: Config): Promise<RunningServer | null> {
  const running = readRunningFile(config.DATA_DIR);
  if (!running) return null;
  const responses = await Promise.all([
    config.DATABASE_URL ? true : databaseResponds(running.database_url),
    config.ARWEAVE_GATEWAY_URL ? true : gatewayResponds(running.gateway_url),
  ]);
  if (responses.every(Boolean)) return running;
  throw new ConfigError(
    `The service with process id ${running.pid} should be running on ${config.DATA_DIR}, but does not respond. ` +
      `Stop it; if that process is something else, remove ${join(config.DATA_DIR, 'running.json')}.`,
  );
}

async function databaseResponds(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const gatewayResponds = (gatewayUrl: string): Promise<boolean> =>
  createArweaveClient({ gatewayUrl, timeoutMs: 5_000 })
    .height()
    .then(
      () => true,
      () => false,
    );
