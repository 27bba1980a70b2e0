import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { query, testOperator } from '../../auditor/audit/test-operator.ts';
import { builtCommands } from '../../auditor/audit/test-worker.ts';
import { planRecovery } from '../../commands/backup/plan.ts';
import { checkBase } from '../../commands/backup/recover.ts';
import { restoreBackup } from '../../commands/backup/restore-files.ts';
import { backedUp } from '../../commands/backup/test-backup.ts';
import { takeBaseBackup } from '../../server/platform/db/backup/base-backup.ts';
import { databasesIn, type Store, storeOf } from '../../server/platform/db/backup/layout.ts';
import { readManifest, writeManifest } from '../../server/platform/db/backup/manifest.ts';
import { rootsClusterOf } from '../../server/platform/db/postgres/cluster.ts';
import { mountSmallDisk, type SmallDisk } from '../chaos/disk.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

const NEWEST = { to: null, base: null };

async function storeIn(directory: string): Promise<Store> {
  const [database = ''] = await databasesIn(directory);
  return storeOf(directory, database);
}

/** Reads the whole newest backup. @returns its id */
async function intactBase(store: Store, key: Buffer): Promise<string> {
  const { manifest } = await planRecovery(store, key, NEWEST);
  await checkBase(store, key, manifest, () => undefined);
  return manifest.id;
}

test('a base backup that is killed leaves the earlier one, and the next one removes what it left', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const { postgres, url } = await backup.start();
  await operator.serve(url);
  const { id } = await takeBaseBackup(postgres, backup.backups, backup.key);
  const store = await storeIn(backup.backups);
  await query(postgres.superuserUrl, 'CHECKPOINT');

  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [commands.path('backup'), backup.backups, '--max-rate', '1000000'], {
    env: { NODE_ENV: 'production', PATH, HOME, DATA_DIR: operator.dataDir },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const partial = () => readdirSync(store.base).filter((name) => name.startsWith('.partial-'));
  const written = () =>
    partial().map((name) => statSync(join(store.base, name, 'data'), { throwIfNoEntry: false })?.size);
  await expect.poll(written).toEqual([expect.toSatisfy((size?: number) => (size ?? 0) > 0)]);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);

  expect(partial()).toHaveLength(1);
  expect(await intactBase(store, backup.key)).toBe(id);
  const next = await takeBaseBackup(postgres, backup.backups, backup.key);
  expect(readdirSync(store.base)).toEqual([id, next.id]);
  expect(await intactBase(store, backup.key)).toBe(next.id);
});

/** As root on Linux a file system of its own. Elsewhere there is none, and nothing can be tested. */
function smallDisk(directory: string, sizeMb: number): SmallDisk | null {
  const disk = mountSmallDisk(directory, sizeMb);
  onTestFinished(() => {
    disk?.remove();
    rmSync(directory, { recursive: true, force: true });
  });
  return disk;
}

test('a base backup that finds no space reports it and leaves nothing, and succeeds when there is space', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const { postgres } = await backup.start();
  const directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-disk-`));
  const disk = smallDisk(directory, 64);
  if (!disk) return;
  const { id } = await takeBaseBackup(postgres, directory, backup.key);
  const store = await storeIn(directory);
  const { bavail, bsize } = statfsSync(directory);
  // It begins and then finds no space.
  writeFileSync(join(directory, 'other'), Buffer.alloc(bavail * bsize - 2 ** 20));
  await expect(takeBaseBackup(postgres, directory, backup.key)).rejects.toThrow(
    `There is no space left in ${directory}.`,
  );
  expect(await intactBase(store, backup.key)).toBe(id);
  expect(readdirSync(store.base).flatMap((name) => (name === id ? [] : readdirSync(join(store.base, name))))).toEqual(
    [],
  );
  rmSync(join(directory, 'other'));
  const next = await takeBaseBackup(postgres, directory, backup.key);
  expect(readdirSync(store.base)).toEqual([id, next.id]);
  expect(await intactBase(store, backup.key)).toBe(next.id);
});

test('a restore without space, or of another version of PostgreSQL, restores nothing and reports it', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const before = await backup.start();
  const service = await operator.serve(before.url);
  await operator.settle(before.url);
  const manifest = await takeBaseBackup(before.postgres, backup.backups, backup.key);
  await query(
    before.postgres.superuserUrl,
    'CREATE TABLE filler AS SELECT n, md5(n::text) FROM generate_series(1, 300000) AS n',
  );
  await backup.archiveAll();
  await service.stop();
  await backup.loseDisk();
  const options = { gateway: [operator.devnet.url], wallet: backup.wallet };
  const restore = () => backup.run((parts) => restoreBackup(backup.backups, options, parts));
  const place = dirname(rootsClusterOf(operator.dataDir));

  const megabytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  for (const [sizeMb, sentence] of [
    [
      Math.floor(megabytes / 2),
      /^There is no space for the database in \S+: it needs \d+ MB and the write-ahead log, and/,
    ],
    [Math.ceil(megabytes) + 4, /^There is no space left /],
  ] as const) {
    const disk = smallDisk(place, sizeMb);
    if (!disk) break;
    await expect(restore()).rejects.toThrow(sentence);
    expect(readdirSync(place)).toEqual([]);
    disk.remove();
  }

  const store = await storeIn(backup.backups);
  const folder = join(store.base, manifest.id);
  const { postgres: version } = await readManifest(store, manifest.id, backup.key);
  rmSync(join(folder, 'manifest'));
  await writeManifest(folder, store, backup.key, { ...manifest, postgres: '17' });
  await expect(restore()).rejects.toThrow(
    `The backup is of PostgreSQL 17, but the installed version is ${version}: restore it with the version of Perpetua that made it.`,
  );
  for (const path of [join(operator.dataDir, 'postgres'), join(place, 'postgres')])
    expect(existsSync(path)).toBe(false);

  rmSync(join(folder, 'manifest'));
  await writeManifest(folder, store, backup.key, manifest);
  mkdirSync(place, { recursive: true });
  expect((await restore()).text).toMatch(/^Epoch 2 begins/m);
});
