import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { query, testOperator } from '../../../../auditor/audit/test-operator.ts';
import { planRecovery } from '../../../../commands/backup/plan.ts';
import { checkBase } from '../../../../commands/backup/recover.ts';
import { backedUp } from '../../../../commands/backup/test-backup.ts';
import { startArchiver } from './archive-wal.ts';
import { takeBaseBackup } from './base-backup.ts';
import { basesIn, databasesIn, storeOf } from './layout.ts';
import { rotate } from './rotate.ts';
import { isDue } from './schedule.ts';

const ignore = () => undefined;
const NEWEST = { to: null, base: null };

test('what a backup folder holds is complete and authentic, or refused with a sentence', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const { postgres, archiver } = await backup.start();
  const { superuserUrl } = postgres;
  await query(
    superuserUrl,
    'CREATE TABLE filler AS SELECT n, repeat(md5(n::text), 20) AS text FROM generate_series(1, 2000) AS n',
  );
  const writing = { on: true };
  const writes = (async () => {
    while (writing.on) await query(superuserUrl, "INSERT INTO filler SELECT n, 'x' FROM generate_series(1, 200) AS n");
  })();

  const outcomes = await Promise.allSettled([1, 2].map(() => takeBaseBackup(postgres, backup.backups, backup.key)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(refused).toEqual([expect.stringContaining('Another backup of this database is running.')]);
  const [database = ''] = await databasesIn(backup.backups);
  const store = storeOf(backup.backups, database);
  mkdirSync(join(store.base, '.partial-killed'));
  await backup.archiveAll();
  const first = await planRecovery(store, backup.key, NEWEST);
  await takeBaseBackup(postgres, backup.backups, backup.key);
  writing.on = false;
  await writes;
  expect(readdirSync(store.base)).toHaveLength(2);
  await backup.archiveAll();
  const plan = await planRecovery(store, backup.key, NEWEST);
  await checkBase(store, backup.key, plan.manifest, ignore);
  expect(plan.segments.length).toBeGreaterThan(0);

  const [before, between] = [Date.parse(first.manifest.startedAt), Date.parse(plan.manifest.startedAt)];
  const at = (to: number) => planRecovery(store, backup.key, { to, base: null });
  await expect(at(before)).rejects.toThrow('is before the first backup, which was complete at');
  await expect(at(Date.now() + 60_000)).rejects.toThrow(
    'is after the last archived change: this backup restores up to',
  );
  expect((await at(between)).manifest.id).toBe(first.manifest.id);
  await expect(planRecovery(store, Buffer.alloc(32, 7), NEWEST)).rejects.toThrow(
    'is encrypted with another backup key',
  );

  const folder = (id: string, name: string) => join(store.base, id, name);
  const data = folder(plan.manifest.id, 'data');
  const intact = readFileSync(data);
  const withData = async (bytes: Buffer, sentence: string) => {
    writeFileSync(data, bytes);
    await expect(checkBase(store, backup.key, plan.manifest, ignore)).rejects.toThrow(sentence);
    writeFileSync(data, intact);
  };
  const flipped = Buffer.from(intact);
  flipped[intact.length >> 1] = (flipped[intact.length >> 1] ?? 0) ^ 1;
  const altered = 'was altered or truncated, or is of another backup';
  await withData(flipped, altered);
  await withData(intact.subarray(0, intact.length - 1), altered);
  await withData(intact.subarray(0, 20), 'was truncated');
  await withData(readFileSync(folder(first.manifest.id, 'data')), altered);
  const [chunk, head] = [64 * 1024 + 17, 58];
  const [one, two] = [intact.subarray(head, head + chunk), intact.subarray(head + chunk, head + 2 * chunk)];
  await withData(Buffer.concat([intact.subarray(0, head), two, one, intact.subarray(head + 2 * chunk)]), altered);
  cpSync(folder(first.manifest.id, 'manifest'), folder(plan.manifest.id, 'manifest'));
  await expect(planRecovery(store, backup.key, NEWEST)).rejects.toThrow(altered);
  expect((await planRecovery(store, backup.key, { to: null, base: first.manifest.id })).manifest.id).toBe(
    first.manifest.id,
  );

  const missing = first.segments.at(-1) ?? '';
  renameSync(join(store.wal, missing), join(backup.backups, missing));
  await expect(planRecovery(store, backup.key, { to: null, base: first.manifest.id })).rejects.toThrow(
    /^The write-ahead log [0-9A-F]{24} is missing in .* restores up to 20/,
  );
  renameSync(join(backup.backups, missing), join(store.wal, missing));

  renameSync(backup.backups, `${backup.backups}.away`);
  await query(superuserUrl, "INSERT INTO filler VALUES (0, 'while it is missing')");
  await query(superuserUrl, 'SELECT pg_switch_wal()');
  await expect.poll(() => archiver.state().problem).toMatch(/ does not exist: create it, or mount it\.$/);
  expect(archiver.state().waiting).toBeGreaterThan(0);
  renameSync(`${backup.backups}.away`, backup.backups);
  await expect.poll(() => archiver.state().problem).toBeNull();
  await backup.archiveAll();

  const [oldest, newest] = await basesIn(store);
  expect(await isDue(store, 0)).toBe(false);
  expect(await isDue(store, newest?.startedAt ?? 0)).toBe(true);
  const kept = await rotate(store, { now: Date.now(), keepMs: 3_600_000 });
  expect(kept.bases).toBe(0);
  const deleted = await rotate(store, { now: Date.now(), keepMs: 0 });
  expect(deleted.bases).toBe(1);
  expect((await basesIn(store)).map(({ id }) => id)).toEqual([newest?.id]);
  expect(oldest?.id).not.toBe(newest?.id);
  const segments = readdirSync(store.wal).filter((name) => name < (newest?.startSegment ?? ''));
  expect(segments).toEqual([]);
  const [second] = readdirSync(store.wal).filter((name) => name > (newest?.startSegment ?? '') && name.length === 24);
  rmSync(join(store.wal, second ?? ''));
  expect(await isDue(store, 0)).toBe(true);
});

test('a segment that another copy of the database archived is never overwritten', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const { postgres, archiver } = await backup.start();
  const { superuserUrl } = postgres;
  await backup.archiveAll();
  const [database = ''] = await databasesIn(backup.backups);
  const { wal } = storeOf(backup.backups, database);
  const [row] = await query<{ name: string }>(
    superuserUrl,
    'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name',
  );
  writeFileSync(join(wal, row?.name ?? ''), 'of another copy');
  await query(superuserUrl, 'CREATE TABLE filler (n int)');
  await query(superuserUrl, 'SELECT pg_switch_wal()');
  await expect.poll(() => archiver.state().problem).toMatch(/is not a file of a backup/);
  expect(readFileSync(join(wal, row?.name ?? ''), 'utf8')).toBe('of another copy');
  rmSync(join(wal, row?.name ?? ''));
  await backup.archiveAll();
});

test('changes are not archived into a folder whose backups are of another key, until the key is that of the backups again', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const { postgres, archiver } = await backup.start();
  await backup.archiveAll();
  await archiver.stop();
  const [database = ''] = await databasesIn(backup.backups);
  const store = storeOf(backup.backups, database);
  const { wal } = store;
  const archive = (key: Buffer) =>
    startArchiver({ cluster: postgres.directory, database, directory: backup.backups, key, onProblem: ignore });
  const otherKey = Buffer.alloc(32, 7);
  const stored = readdirSync(wal);
  for (const step of ['changes only', 'a base backup']) {
    if (step === 'a base backup') await takeBaseBackup(postgres, backup.backups, backup.key);
    const refused = await archive(otherKey);
    await expect
      .poll(() => refused.state().problem)
      .toMatch(
        / is encrypted with another backup key\. Set BACKUP_KEY_FILE to the file of that key\. To use a new key, also set BACKUP_DIR/,
      );
    await refused.stop();
  }
  expect(readdirSync(wal)).toEqual(stored);
  await expect(takeBaseBackup(postgres, backup.backups, otherKey)).rejects.toThrow('with another backup key');
  // A damaged manifest does not stop archiving: the files behind it have the key.
  const [newest] = await basesIn(store);
  writeFileSync(join(store.base, newest?.id ?? '', 'manifest'), '');
  const own = await archive(backup.key);
  await backup.archiveAll();
  expect(own.state().problem).toBeNull();
  await own.stop();
});
