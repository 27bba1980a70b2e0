import { resolve } from 'node:path';
import type { Verdict } from '../../auditor/audit/report.ts';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { readConfig } from '../../server/config.ts';
import { existingRelayerKey, openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { existingVaultKey, loadBackupKey } from '../../server/platform/data-folder/key-files.ts';
import { runningProcess } from '../../server/platform/data-folder/running-file.ts';
import { existingDatabasesIn, storeOf } from '../../server/platform/db/backup/layout.ts';
import { BackupError } from '../../server/platform/db/backup/sealed-file.ts';
import { prepareRestoredCluster } from '../../server/platform/db/postgres/restored-cluster.ts';
import { type RestoreOptions, restoreInto } from '../restore/rebuild-database.ts';
import { keepPrivateRows } from './keep-private-rows.ts';
import { type MissingKey, missingKeys } from './missing-keys.ts';
import { planRecovery } from './plan.ts';
import { recover } from './recover.ts';

export interface RestoreBackupOptions extends RestoreOptions {
  /** Milliseconds since 1970. */
  readonly to?: number;
  /** The id of a base backup. */
  readonly base?: string;
  /** The PostgreSQL system identifier of the database, if the folder holds several. */
  readonly database?: string;
  /** Whether keys that are missing are lost, so that the service creates new ones. */
  readonly newKeys?: boolean;
}

/**
 * `npm run restore-backup`: recovers the embedded database beside its place, brings it to the network's ledger, and only then
 * puts it into its place.
 * @returns `breach` if the ledger on the network has breaches; nothing was restored then
 * @throws {CommandError | ConfigError | BackupError | EmbeddedPostgresError | GatewayError} if nothing was restored
 */
export async function restoreBackup(
  directory: string,
  options: RestoreBackupOptions,
  parts: CommandParts,
): Promise<Verdict> {
  const config = readConfig(parts.env);
  if (config.DATABASE_URL) {
    throw new CommandError(
      'restore-backup restores the embedded database, but DATABASE_URL is set: restore that database with its own tool, then run "npm run restore -- --keep-private".',
    );
  }
  const key = loadBackupKey(config, { create: false });
  const vaultKey = existingVaultKey(config);
  existingRelayerKey(config);
  const missing = missingKeys(config);
  if (missing.length > 0 && !options.newKeys) throw new CommandError(missingSentence(config.DATA_DIR, missing));
  const running = await runningService(config);
  if (running) {
    throw new CommandError(`The service is running (${runningProcess(config.DATA_DIR, running)}); stop it first.`);
  }
  const store = storeOf(resolve(directory), await databaseIn(resolve(directory), options.database));
  const { to = null, base = null } = options;
  const plan = await planRecovery(store, key, { to, base });
  const { manifest } = plan;
  const cluster = await prepareRestoredCluster(config.DATA_DIR, parts.note);
  parts.addStep('the restored database', () => cluster.discard());
  parts.print(`Restoring ${manifest.id}, with the changes up to ${new Date(plan.until).toISOString()}.`);
  const url = await recover(store, key, plan, cluster, { to, onProgress: parts.progress.at });
  const isMissing = (key: string) => missing.some(({ name }) => name === key);
  const newKeys = { newWebhookKey: isMissing('webhook.key'), newCheckpointKey: isMissing('checkpoint.key') };
  const verdict = await restoreInto(url, null, options, parts, keepPrivateRows(vaultKey, newKeys));
  if (verdict === 'breach') return verdict;
  await cluster.stop();
  const place = await cluster.publish(manifest.password);
  for (const { name, otherwise } of missing) parts.print(`The service will create a new ${name}: ${otherwise}.`);
  parts.print(`The database is in ${place}. Start the service.`);
  return verdict;
}

const missingSentence = (dataDir: string, missing: readonly MissingKey[]): string =>
  `${dataDir} lacks ${missing.map(({ name, otherwise }) => `${name} (with a new one, ${otherwise})`).join(', ')}. ` +
  'Copy what is missing to it, or give --new-keys if it is lost. Nothing was restored.';

async function databaseIn(directory: string, named: string | undefined): Promise<string> {
  const found = await existingDatabasesIn(directory);
  if (named !== undefined) {
    if (found.includes(named)) return named;
    throw new BackupError(`${directory} holds no backup of the database ${named}.`);
  }
  const [only = '', ...more] = found;
  if (more.length === 0) return only;
  throw new BackupError(
    `${directory} holds backups of several databases: give one with --database (${found.join(', ')}).`,
  );
}

/**
 * `npm run restore -- --keep-private`: brings a database that lost operations to the network's ledger, such as one that another
 * tool restored, or a standby that was promoted while it lagged.
 * @throws {CommandError | ConfigError | BackupError | GatewayError} if it could not run
 */
export async function restoreKeepingPrivateRows(options: RestoreOptions, parts: CommandParts): Promise<Verdict> {
  const config = readConfig(parts.env);
  const vaultKey = existingVaultKey(config);
  existingRelayerKey(config);
  const running = await runningService(config);
  if (running && !config.DATABASE_URL) {
    throw new CommandError(
      `The service is running (${runningProcess(config.DATA_DIR, running)}); stop it, and run this again.`,
    );
  }
  return restoreInto(await openDatabase(config, running, parts), running, options, parts, keepPrivateRows(vaultKey));
}
