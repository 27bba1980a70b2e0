import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { query, runHere, type TestOperator } from '../../auditor/audit/test-operator.ts';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { readConfig } from '../../server/config.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { loadBackupKey, loadInstituteKeys } from '../../server/platform/data-folder/key-files.ts';
import { removeRunningFile, writeRunningFile } from '../../server/platform/data-folder/running-file.ts';
import { type Archiver, startArchiver } from '../../server/platform/db/backup/archive-wal.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';

/** An operator whose database is an embedded one in the data directory, with a folder for backups. */
export interface BackedUp {
  readonly backups: string;
  readonly key: Buffer;
  readonly wallet: string;
  /** Starts the database and archives it. */
  start(): Promise<{ url: string; postgres: EmbeddedPostgres; archiver: Archiver }>;
  /** Finishes the current segment, and waits until it is archived. */
  archiveAll(): Promise<void>;
  /** Kills the database and deletes its disk. */
  loseDisk(): Promise<void>;
  /** Runs a command with the settings of the embedded database; returns what it printed. */
  run<Result>(command: (parts: CommandParts) => Promise<Result>): Promise<{ result: Result; text: string }>;
}

export function backedUp(operator: TestOperator): BackedUp {
  const { dataDir, devnet } = operator;
  const backups = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-backups-`));
  onTestFinished(() => rmSync(backups, { recursive: true, force: true }));
  const key = loadBackupKey({ DATA_DIR: dataDir, BACKUP_KEY_FILE: undefined }, { create: true });
  // A service with an embedded database creates them.
  loadInstituteKeys(readConfig({ DATA_DIR: dataDir }));
  let current: { postgres: EmbeddedPostgres; archiver: Archiver } | null = null;

  const stop = async () => {
    const stopped = current;
    current = null;
    if (!stopped) return;
    await stopped.postgres.stop();
    await stopped.archiver.stop();
  };
  onTestFinished(async () => {
    await stop();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });
  const homes = new Set<string>();

  return {
    backups,
    key,
    wallet: loadWallet(devnet.wallet).address,
    async start() {
      const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, archive: true });
      if (basename(dirname(postgres.directory)) !== basename(dataDir)) homes.add(dirname(postgres.directory));
      const [row] = await query<{ id: string }>(
        postgres.superuserUrl,
        'SELECT system_identifier::text AS id FROM pg_control_system()',
      );
      const archiver = await startArchiver({
        ...{ cluster: postgres.directory, database: row?.id ?? '', directory: backups, key },
        onProblem: () => undefined,
      });
      current = { postgres, archiver };
      writeRunningFile(dataDir, { pid: process.pid, gateway_url: devnet.url, database_url: postgres.url });
      return { url: postgres.url, postgres, archiver };
    },
    async archiveAll() {
      const { postgres } = current ?? {};
      if (!postgres) throw new Error('The database does not run.');
      const [row] = await query<{ name: string }>(
        postgres.superuserUrl,
        'SELECT pg_walfile_name(pg_switch_wal() - 1) AS name',
      );
      const [database] = await query<{ id: string }>(
        postgres.superuserUrl,
        'SELECT system_identifier::text AS id FROM pg_control_system()',
      );
      // Not pg_stat_archiver: after a failure the database asks again only after a minute.
      const copy = join(backups, database?.id ?? '', 'wal', row?.name ?? '');
      for (let attempts = 4_800; !existsSync(copy); attempts -= 1) {
        if (attempts === 0) throw new Error('The write-ahead log was not archived.');
        await sleep(50);
      }
    },
    async loseDisk() {
      if (!current) throw new Error('The database does not run.');
      const { postgres, archiver } = current;
      const pid = Number.parseInt(readFileSync(join(postgres.directory, 'postmaster.pid'), 'utf8'), 10);
      current = null;
      process.kill(pid, 'SIGKILL');
      await postgres.stop().catch(() => undefined);
      await archiver.stop();
      rmSync(postgres.directory, { recursive: true, force: true });
      rmSync(join(dataDir, 'postgres'), { recursive: true, force: true });
      rmSync(join(dataDir, 'postgres-password'), { force: true });
      removeRunningFile(dataDir);
    },
    run: (command) => runHere(command, { DATA_DIR: dataDir, RATE_LIMIT: 'off' }),
  };
}
