import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PoolMode, runPgbouncer } from '../../server/platform/db/test-pgbouncer.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { newInstance } from '../../server/testing/test-product.ts';
import { lostOf, startSteadyLoad } from '../../server/testing/test-steady-load.ts';
import { SETTINGS, settled, statusOfCreation } from './test-creations.ts';
import { doctorOf, npmRun } from './test-npm.ts';
import { createOwner, createPostgresql, type TestPostgresql } from './test-postgresql.ts';

let server: TestPostgresql;
beforeAll(async () => {
  server = await createPostgresql('Debian');
  await server.start();
  await createOwner(server, 'perpetua', 'secret-of-perpetua');
});
afterAll(() => server?.remove());

/** PgBouncer with deploy/pgbouncer/pgbouncer.ini, in which host, ports, paths and perhaps the mode are replaced. */
async function bouncer(mode: PoolMode) {
  const port = await freePort();
  const [file, users] = [join(server.folder, `pgbouncer-${port}.ini`), join(server.folder, `users-${port}`)];
  writeFileSync(users, '"perpetua" "secret-of-perpetua"\n', { mode: 0o600 });
  chownSync(users, server.account.uid, server.account.gid);
  const settings = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8')
    .replace('host=db.internal port=5432', `host=localhost port=${server.port}`)
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', users)
    .replace('/etc/perpetua-db/ca.pem', server.authority.file)
    .replace('pool_mode = session', `pool_mode = ${mode}`);
  writeFileSync(file, settings);
  let child: ChildProcess;
  const start = async () => {
    child = await runPgbouncer(file, server.account);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  await start();
  onTestFinished(() => end('SIGKILL'));
  return {
    url: `postgres://perpetua:secret-of-perpetua@127.0.0.1:${port}/perpetua`,
    start,
    end,
    signal: (name: NodeJS.Signals) => child.kill(name),
  };
}

test('in session mode two processes serve through it, and lose no acknowledged operation when it is killed, restarted or shut down', async () => {
  const pool = await bouncer('session');
  const settings = { ...SETTINGS, DATABASE_URL: pool.url, PROCESSES: '2' };
  const instance = await newInstance(settings);
  onTestFinished(instance.remove);
  const env = { ...settings, DATA_DIR: instance.dataDir };
  expect(await npmRun('migrate', [], env)).toMatchObject({ status: 0 });
  expect(await doctorOf('database', env)).toEqual([]);
  const { url, end } = await instance.start();
  // Both sides: no client reached the database itself, and every session of it is encrypted.
  const sessions = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'perpetua'";
  expect((await server.query(sessions)).rows).toEqual([{ ssl: true }]);
  const relays = async () =>
    (await server.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted")).rowCount;

  const load = startSteadyLoad(url);
  await expect.poll(load.created).toBeGreaterThan(50);
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await pool.end(signal);
    expect(await statusOfCreation(url)).toBe(503);
    await pool.start();
    const before = load.created();
    await expect.poll(load.created).toBeGreaterThan(before + 50);
  }
  const { acknowledged, failures } = await load.stop();
  expect(failures.filter((failure) => !/^503 .*"code":"UNAVAILABLE"/.test(failure))).toEqual([]);
  expect(await lostOf(url, acknowledged)).toEqual([]);
  await expect.poll(relays, { interval: 100 }).toBe(1);
  await settled(url);
  const verified = await npmRun('verify', [], env);
  expect(verified, verified.text).toMatchObject({ status: 0, text: expect.stringContaining('No breach was found.') });

  // A safe shutdown waits for the sessions of the service. It admits no new one when it has received the signal.
  pool.signal('SIGINT');
  await expect.poll(() => doctorOf('database', env)).toEqual([expect.stringMatching(/^error: /)]);
  expect(await statusOfCreation(url)).toBe(201);
  expect(await end('SIGTERM')).toBe(0);
});

test.each(['transaction', 'statement'] as const)(
  'in %s mode the service does not start, and its doctor says the same',
  async (mode) => {
    const pool = await bouncer(mode);
    const settings = { ...SETTINGS, DATABASE_URL: pool.url };
    const instance = await newInstance(settings);
    onTestFinished(instance.remove);
    const sentence =
      'DATABASE_URL names a pooler that does not keep a session on one connection of the database, so locks and settings are lost; name PostgreSQL itself, or set pool_mode to session.';
    expect(await instance.failToStart({})).toMatchObject({ code: 1, output: expect.stringContaining(sentence) });
    expect(await doctorOf('database', { ...settings, DATA_DIR: instance.dataDir })).toEqual([`error: ${sentence}`]);
  },
);
