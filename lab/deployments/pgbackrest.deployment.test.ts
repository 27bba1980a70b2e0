import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../server/features/events/test-events.ts';
import { measurements, OWN } from '../../server/features/records/test-exchange.ts';
import { requirePackages } from '../../server/launch/debian.mjs';
import { newInstance } from '../../server/testing/test-product.ts';
import { apiAt } from './test-api.ts';
import { readyOf, SETTINGS, settled, statusOfCreation } from './test-creations.ts';
import { doctorOf, npmRun } from './test-npm.ts';
import { createOwner, createPostgresql, type TestPostgresql } from './test-postgresql.ts';

const run = promisify(execFile);

/** The block about pgBackRest in docs/backups.md: its configuration, the lines of postgresql.conf, and the commands. */
const documented = /pgBackRest, on the database's machine:\n([\s\S]+?)\nRun these as/.exec(
  readFileSync('docs/backups.md', 'utf8'),
)?.[1];
const lines = (documented ?? '').split('\n').map((line) => line.trim());
const between = (from: string, to: string) => lines.slice(lines.indexOf(from) + 1, lines.indexOf(to));
const CONFIGURATION = between('# /etc/pgbackrest/pgbackrest.conf', '# postgresql.conf').filter((line) => line !== '');
const POSTGRESQL = Object.fromEntries(
  lines.flatMap((line) => {
    const [, name, value] = /^(archive_\w+) = (.+)$/.exec(line) ?? [];
    return name && value ? [[name, value.replace(/^'|'$/g, '')]] : [];
  }),
);
const commandWith = (word: string): string[] => {
  const line = lines.find((line) => line.startsWith('pgbackrest ') && line.includes(word)) ?? '';
  return line
    .replace(/ +#.*/, '')
    .split(/ (?=--|[a-z-]+$)/)
    .slice(1);
};

let server: TestPostgresql;
let repository: string;
let configuration: string;
beforeAll(async () => {
  requirePackages('pgbackrest');
  server = await createPostgresql('Debian');
  repository = join(server.folder, 'repository');
  configuration = join(server.folder, 'pgbackrest.conf');
  const own = {
    'repo1-path': repository,
    'repo1-cipher-pass': 'a passphrase of the test',
    'pg1-path': server.data,
  };
  const replaced = CONFIGURATION.map((line) => {
    const [name = ''] = line.split('=');
    return name in own ? `${name}=${own[name as keyof typeof own]}` : line;
  });
  const places = ['lock-path', 'log-path', 'spool-path'].map((name) => `${name}=${join(server.folder, name)}`);
  const global = replaced.indexOf('[global]') + 1;
  replaced.splice(global, 0, ...places);
  writeFileSync(
    configuration,
    [...replaced, `pg1-port=${server.port}`, `pg1-socket-path=${server.data}`, ''].join('\n'),
  );
  for (const name of ['repository', 'lock-path', 'log-path', 'spool-path']) {
    mkdirSync(join(server.folder, name));
    chownSync(join(server.folder, name), server.account.uid, server.account.gid);
  }
  await server.start(settings());
});
afterAll(() => server?.remove());

const settings = () => ({
  ...POSTGRESQL,
  archive_command: String(POSTGRESQL.archive_command).replace('pgbackrest', `pgbackrest --config=${configuration}`),
});

const pgbackrest = (...args: readonly string[]) =>
  run('pgbackrest', [`--config=${configuration}`, ...args], { cwd: server.folder, ...server.account });

test('a database in pgBackRest is restored to a point in time, refuses writes until it has the ledger, and then verifies', async () => {
  expect(CONFIGURATION.length).toBeGreaterThan(8);
  expect(Object.keys(POSTGRESQL).sort()).toEqual(['archive_command', 'archive_mode', 'archive_timeout']);
  const DATABASE_URL = await createOwner(server, 'perpetua', 'secret-of-perpetua');
  const instance = await newInstance({ ...SETTINGS, DATABASE_URL });
  onTestFinished(instance.remove);
  const env = { ...SETTINGS, DATABASE_URL, DATA_DIR: instance.dataDir };
  const first = await instance.start();
  const { url } = first;

  // There is no stanza yet, so that the command fails.
  await server.query('SELECT pg_switch_wal()');
  const backups = async () => (await readyOf(url)).backups;
  await expect.poll(backups, { interval: 200 }).toEqual({
    ok: false,
    problem: expect.stringMatching(/^The last attempt of the database to archive its write-ahead log failed/),
  });
  expect((await readyOf(url)).status).toBe('degraded');
  expect(await npmRun('backup', ['--check'], env)).toMatchObject({
    status: 1,
    text: expect.stringContaining('archive its write-ahead log failed'),
  });
  expect(await doctorOf('backups', env)).toEqual([expect.stringMatching(/^warning: The last attempt of the database/)]);
  await pgbackrest(...commandWith('stanza-create'));
  await pgbackrest(...commandWith(' check'));
  await expect.poll(backups, { interval: 200 }).toEqual({ ok: true });
  expect((await readyOf(url)).status).toBe('ready');
  expect(await npmRun('backup', ['--check'], env)).toMatchObject({
    status: 0,
    text: expect.stringContaining('The database archived'),
  });

  const clients = eventsOf(apiAt(url));
  const [lab, kept, destroyed] = [await clients.newInstitution(), await clients.newHolder(), await clients.newHolder()];
  const mayWrite = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
  for (const holder of [kept, destroyed]) {
    const { token_id: tokenId } = await clients.granted(holder, lab.id, mayWrite);
    await clients.exchange.submitted({ by: lab, holder, tokenId }, measurements(3));
  }
  const { token_id: own } = await clients.granted(kept, kept.id, OWN);
  await pgbackrest(...commandWith('backup'));
  const { rows } = await server.query("SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF') AS at");
  const later = await clients.newHolder();
  expect((await clients.beo(destroyed, 'destroy', 'destroyBEO')).status).toBe(200);
  await settled(url);
  await server.query('SELECT pg_switch_wal()');
  expect(await first.end('SIGTERM')).toBe(0);

  await server.stop();
  for (const name of readdirSync(server.data)) rmSync(join(server.data, name), { recursive: true });
  const restore = commandWith('restore').map((arg) => (arg.startsWith('--target=') ? `--target=${rows[0].at}` : arg));
  await pgbackrest(...restore);
  await server.start(settings());
  const isRecovering = async () => (await server.query('SELECT pg_is_in_recovery() AS is')).rows[0].is;
  await expect.poll(isRecovering, { interval: 100 }).toBe(false);

  const early = await instance.start();
  await expect
    .poll(async () => (await readyOf(early.url)).ledger, { interval: 200 })
    .toMatchObject({
      ok: false,
      problem: expect.stringMatching(/acknowledged operations are lost\. .* npm run restore -- --keep-private on this/),
    });
  expect((await readyOf(early.url)).status).toBe('unavailable');
  expect(await statusOfCreation(early.url)).toBe(503);
  expect(await early.end('SIGTERM')).toBe(0);

  const restored = await npmRun('restore', ['--keep-private'], env);
  expect(restored, restored.text).toMatchObject({ status: 0, text: expect.stringMatching(/^Epoch 2 begins/m) });
  const last = await instance.start();
  expect(await statusOfCreation(last.url)).toBe(201);
  const again = eventsOf(apiAt(last.url));
  expect((await again.exchange.page({ by: kept, holder: kept, tokenId: own })).total).toBe(3);
  expect((await apiAt(last.url).get(`/api/beos/${later.id}`)).status).toBe(200);
  const traces = await npmRun('traces', [destroyed.id], env);
  expect(traces, traces.text).toMatchObject({ status: 0 });
  await settled(last.url);
  const verified = await npmRun('verify', [], env);
  expect(verified, verified.text).toMatchObject({ status: 0, text: expect.stringContaining('No breach was found.') });

  // The repository disappears, as a disk that is not mounted.
  renameSync(repository, `${repository}-gone`);
  await server.query('SELECT pg_switch_wal()');
  const now = async () => (await readyOf(last.url)).backups.ok;
  await expect.poll(now, { interval: 200 }).toBe(false);
  const { body: metrics } = await apiAt(last.url).get('/metrics');
  expect(metrics).toContain('perpetua_part_ok{part="backups"} 0');
  expect(metrics).toContain('perpetua_database_archive_failing 1');
  renameSync(`${repository}-gone`, repository);
  await expect.poll(now, { interval: 200 }).toBe(true);
  expect(await last.end('SIGTERM')).toBe(0);
});
