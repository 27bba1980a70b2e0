import { expect, onTestFinished, test } from 'vitest';
import { startReplication } from '../../testing/test-replication.ts';
import { startTestService } from '../../testing/test-service.ts';

const FAILS =
  /^The last attempt of the database to archive its write-ahead log failed\. Read the log of the database\. Until archiving succeeds/;

test('a database of the operator that cannot archive is a problem at /ready until it can; one that does not archive is none', async () => {
  const { primary, url, remove } = await startReplication(0);
  onTestFinished(remove);
  const service = await startTestService({}, { databaseUrl: url });
  onTestFinished(service.stop);
  const backups = async () => (await service.get('/ready')).body.backups;
  expect(await backups()).toBe(undefined);

  const set = async (name: string, value: string) => {
    await primary.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await primary.query('SELECT pg_reload_conf()');
  };
  await set('archive_mode', 'on');
  await set('archive_command', 'true');
  await primary.kill();
  await primary.start();
  await expect.poll(backups, { interval: 100 }).toEqual({ ok: true });

  await set('archive_command', 'false');
  await primary.query('SELECT pg_switch_wal()');
  await expect.poll(backups, { interval: 100 }).toEqual({ ok: false, problem: expect.stringMatching(FAILS) });
  expect((await service.get('/ready')).body.status).toBe('degraded');
  expect((await service.get('/metrics')).body).toContain('perpetua_part_ok{part="backups"} 0');

  await set('archive_command', 'true');
  await expect.poll(backups, { interval: 100 }).toEqual({ ok: true });
});
