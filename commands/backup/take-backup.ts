import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { existingRelayerKey, openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { loadBackupKey } from '../../server/platform/data-folder/key-files.ts';
import { archivingProblem, readArchiving } from '../../server/platform/db/archiving.ts';
import { type Source, sizeOf, takeBaseBackup } from '../../server/platform/db/backup/base-backup.ts';
import { boundNames, existingDatabasesIn, type Store, storeOf } from '../../server/platform/db/backup/layout.ts';
import { rotate } from '../../server/platform/db/backup/rotate.ts';
import { openSealed } from '../../server/platform/db/backup/sealed-file.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { readPassword, SUPERUSER } from '../../server/platform/db/postgres/cluster.ts';
import { addressFor } from '../../server/platform/db/postgres/service-role.ts';
import { planRecovery } from './plan.ts';
import { checkBase } from './recover.ts';

/**
 * `npm run backup`: a base backup of the embedded database, whether the service runs or not.
 * @param keepMs deletes older backups; null keeps all
 * @throws {CommandError | ConfigError | BackupError} if there is no new backup
 */
export async function takeBackup(
  directory: string,
  { keepMs, maxRate = null }: { readonly keepMs: number | null; readonly maxRate?: number | null },
  parts: CommandParts,
): Promise<void> {
  const config = readConfig(parts.env);
  if (config.DATABASE_URL) {
    throw new CommandError(
      'The database of DATABASE_URL is not backed up by this command: use pgBackRest or WAL-G (docs/backups.md).',
    );
  }
  existingRelayerKey(config);
  const running = await runningService(config);
  const source = await sourceOf(config, await openDatabase(config, running, parts));
  const began = performance.now();
  const manifest = await takeBaseBackup(source, resolve(directory), loadBackupKey(config, { create: true }), {
    maxRate,
  });
  const store = storeOf(resolve(directory), manifest.database);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const stored = await sizeOf(store, manifest.id);
  const seconds = (performance.now() - began) / 1000;
  parts.print(
    `Backed up ${megabytes(bytes)} MB as ${megabytes(stored)} MB in ${seconds.toFixed(1)} s: ${join(store.base, manifest.id)}`,
  );
  const { ledger } = manifest;
  if (ledger) parts.print(`It holds at least entry ${ledger.seq} of epoch ${ledger.epoch}.`);
  if (keepMs === null) return;
  const deleted = await rotate(store, { now: Date.now(), keepMs });
  if (deleted.bases + deleted.segments > 0) {
    parts.print(`Deleted ${deleted.bases} older backups and ${deleted.segments} files of write-ahead log.`);
  }
}

/**
 * `npm run backup -- --check`: reads the newest base backup and its write-ahead log whole, or with DATABASE_URL asks that
 * database whether it archives.
 * @returns false if DATABASE_URL does not archive
 * @throws {CommandError | ConfigError | BackupError} if there is no backup, or it is damaged
 */
export async function checkBackup(directory: string | undefined, parts: CommandParts): Promise<boolean> {
  const config = readConfig(parts.env);
  if (config.DATABASE_URL) {
    const pool = createPool(config.DATABASE_URL, 1, () => undefined);
    parts.addStep('the database connection', () => pool.end());
    const archiving = await readArchiving(pool);
    const problem = archivingProblem(archiving);
    parts.print(problem ?? `The database archived ${Math.round(archiving.lastSeconds ?? 0)} seconds ago.`);
    return problem === null;
  }
  const folder = directory ?? config.BACKUP_DIR;
  if (folder === undefined) throw new CommandError('Give the folder with the backup, or set BACKUP_DIR.');
  const key = loadBackupKey(config, { create: false });
  for (const database of await existingDatabasesIn(resolve(folder))) {
    const store = storeOf(resolve(folder), database);
    const plan = await planRecovery(store, key, { to: null, base: null });
    await checkBase(store, key, plan.manifest, parts.progress.at);
    for (const name of plan.segments) await readWhole(store, key, name);
    parts.progress.end();
    parts.print(`${join(store.base, plan.manifest.id)} is intact, and restores up to ${iso(plan.until)}.`);
  }
  return true;
}

async function readWhole(store: Store, key: Buffer, name: string): Promise<void> {
  const pieces = openSealed(join(store.wal, name), key, boundNames.wal(store, name));
  while (!(await pieces.next()).done);
}

const iso = (ms: number): string => new Date(ms).toISOString();

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

async function sourceOf(config: Config, serviceUrl: string): Promise<Source> {
  const password = await readPassword(join(config.DATA_DIR, 'postgres-password'));
  return {
    directory: await realpath(join(config.DATA_DIR, 'postgres')),
    superuserUrl: addressFor(SUPERUSER, new URL(serviceUrl), password).href,
    password,
  };
}
