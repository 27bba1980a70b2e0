import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { rolldown } from 'rolldown';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { hasRoomForSocket, stopPostmaster } from './postmaster.ts';

const messages: string[] = [];
const log = (message: string) => messages.push(message);

afterEach(() => {
  messages.length = 0;
});

test('a first start creates a durable UTF-8 database protected by its password', async () => {
  const dataDir = await emptyDataDir();
  const server = await startFor(dataDir);

  expect(server.reused).toBe(false);
  expect(server.url).toMatch(/^postgres:\/\/perpetua_service:[0-9a-f]{48}@127\.0\.0\.1:\d+\/perpetua\?host=/);
  const settings = await query(
    await adminUrl(dataDir, server.url),
    `select current_database() as database, pg_encoding_to_char(encoding) as encoding, datlocale as locale,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
       current_setting('data_checksums') as data_checksums, current_setting('timezone') as timezone,
       current_setting('listen_addresses') as listen_addresses, current_setting('jit') as jit,
       current_setting('unix_socket_directories') as unix_sockets
     from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual([
    {
      database: 'perpetua',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      fsync: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      timezone: 'UTC',
      listen_addresses: '127.0.0.1',
      jit: 'off',
      unix_sockets: server.directory,
    },
  ]);
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(server.url);
  wrong.password = 'guessed';
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('the service and its sessions are not superusers: the role owns its database and has no access to the machine', async () => {
  const server = await startFor(await emptyDataDir());
  expect(await query(server.url, ROLE)).toEqual([ORDINARY_ROLE]);
  const sessions = `SELECT DISTINCT usename FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname IS NOT NULL`;
  expect(await query(server.url, sessions)).toEqual([{ usename: 'perpetua_service' }]);
  for (const forbidden of [
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('postgresql.conf')",
    "ALTER SYSTEM SET log_statement = 'all'",
    'CREATE DATABASE another',
    'CREATE ROLE another',
    'ALTER ROLE perpetua_service SUPERUSER',
    'ALTER ROLE perpetua NOLOGIN',
    'SET ROLE perpetua',
    'SELECT rolpassword FROM pg_authid',
  ]) {
    await expect(query(server.url, forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
  }
});

test('a database that a superuser created in the previous version is transferred with all its objects', async () => {
  const dataDir = await emptyDataDir();
  const first = await startFor(dataDir);
  const admin = await adminUrl(dataDir, first.url);
  // As the previous version left it: one role, which owns everything.
  await query(admin, 'REASSIGN OWNED BY perpetua_service TO perpetua');
  await query(admin, 'DROP OWNED BY perpetua_service');
  await query(admin, 'DROP ROLE perpetua_service');
  await query(
    admin,
    `CREATE TYPE mood AS ENUM ('well');
     CREATE TABLE "Kept" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text, mood mood DEFAULT 'well');
     CREATE TABLE parted (id int) PARTITION BY RANGE (id);
     CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (10);
     CREATE SEQUENCE counted;
     CREATE VIEW seen AS SELECT word FROM "Kept";
     CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.word := upper(NEW.word); RETURN NEW; END $$;
     CREATE TRIGGER louder BEFORE INSERT ON "Kept" FOR EACH ROW EXECUTE FUNCTION loud();
     INSERT INTO "Kept" (word) SELECT 'word ' || n FROM generate_series(1, 1000) AS n`,
  );
  const stored = 'SELECT count(*)::int, min(word), max(id)::int AS last FROM "Kept"';
  expect(await query(admin, stored)).toEqual([{ count: 1000, min: 'WORD 1', last: 1000 }]);
  await first.stop();

  const second = await startFor(dataDir);
  expect(await query(second.url, stored)).toEqual([{ count: 1000, min: 'WORD 1', last: 1000 }]);
  expect(await query(second.url, ROLE)).toEqual([ORDINARY_ROLE]);
  await query(second.url, `INSERT INTO "Kept" (word) VALUES ('one more')`);
  await query(second.url, 'ALTER TABLE "Kept" ADD COLUMN note text');
  await query(second.url, 'INSERT INTO parted VALUES (1)');
  await query(second.url, "SELECT nextval('counted')");
  await query(second.url, "ALTER TYPE mood ADD VALUE 'better'");
  await query(second.url, 'CREATE OR REPLACE VIEW seen AS SELECT word, note FROM "Kept"');
  await query(second.url, 'DROP FUNCTION loud() CASCADE');
  expect(await query(second.url, 'SELECT word FROM seen ORDER BY word LIMIT 1')).toEqual([{ word: 'ONE MORE' }]);

  // If the previous version runs again, it creates objects owned by the superuser.
  await query(await adminUrl(dataDir, second.url), 'CREATE TABLE later ()');
  await second.stop();
  const third = await startFor(dataDir);
  await query(third.url, 'ALTER TABLE later ADD COLUMN note text');
});

test('a second start finds the stored data, and stop leaves no process', async () => {
  const dataDir = await emptyDataDir();
  const first = await startFor(dataDir);
  await query(first.url, 'create table kept (word text)');
  await query(first.url, `insert into kept values ('still here')`);
  const pid = await postmasterPid(first.directory);
  await first.stop();
  await first.stop();

  expect(isAlive(pid)).toBe(false);
  await expect(query(first.url, 'select 1')).rejects.toMatchObject({ syscall: 'connect' });
  const second = await startFor(dataDir);
  expect(second.reused).toBe(false);
  expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'still here' }]);
});

test('a server left behind by a killed process is reused and stopped', async () => {
  const dataDir = await emptyDataDir();
  const { child, started } = await startInChild(dataDir);
  const pid = await postmasterPid(started.directory);
  child.kill('SIGKILL');
  await once(child, 'exit');

  expect(isAlive(pid)).toBe(true);
  const server = await startFor(dataDir);
  expect(server.reused).toBe(true);
  expect(server.url).toBe(started.url);
  expect(await postmasterPid(server.directory)).toBe(pid);
  await server.stop();
  expect(isAlive(pid)).toBe(false);
});

test('Ctrl-C in the owner’s terminal does not stop the server, but a need for more connections does', async () => {
  const dataDir = await emptyDataDir();
  const { child, started } = await startInChild(dataDir);
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
  await once(child, 'exit');

  expect(await query(started.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const server = await startFor(dataDir, 200);
  expect(server.reused).toBe(false);
  expect(await query(server.url, 'show max_connections')).toEqual([{ max_connections: '200' }]);
});

test('pid files left by a machine crash do not prevent a start', async () => {
  const dataDir = await emptyDataDir();
  const { directory, stop } = await startFor(dataDir);
  await stop();
  const lines = (pid: number) => `${pid}\n${directory}\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready   \n`;

  for (const content of [lines(process.pid), lines(1), lines(4_194_300), '']) {
    await writeFile(join(directory, 'postmaster.pid'), content);
    const server = await startFor(dataDir);
    expect(server.reused).toBe(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  }
});

test('two data directories have separate servers', async () => {
  const [first, second] = await Promise.all([startFor(await emptyDataDir()), startFor(await emptyDataDir())]);
  await query(first.url, 'create table only_here ()');

  expect(new URL(first.url).port).not.toBe(new URL(second.url).port);
  await expect(query(second.url, 'select from only_here')).rejects.toMatchObject({ code: '42P01' });
  await first.stop();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a second owner of a data directory is refused and does not affect the first', async () => {
  const dataDir = await emptyDataDir();
  const owner = await startFor(dataDir);

  for (const connections of [0, 200]) {
    await expect(startEmbeddedPostgres({ dataDir, log, connections })).rejects.toThrow(
      `Another Perpetua process is using the data directory ${dataDir}; stop it, or set DATA_DIR to another one.`,
    );
    expect(await query(owner.url, 'show max_connections')).toEqual([{ max_connections: '100' }]);
  }
});

test('an owner that lost the directory while it was suspended does not stop the server of its successor', async () => {
  const dataDir = await emptyDataDir();
  const { child, started } = await startInChild(dataDir);
  child.kill('SIGSTOP');
  await query(
    await adminUrl(dataDir, started.url),
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'perpetua owner'`,
  );
  const successor = await startFor(dataDir);
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  expect(await query(successor.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(messages).toEqual([]);
});

test('one of two concurrent first starts in an empty directory wins and the other is refused', async () => {
  const dataDir = await emptyDataDir();
  const outcomes = await Promise.allSettled([startFor(dataDir), startFor(dataDir)]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('Another Perpetua process') },
  });
});

test('a successor that starts while the owner stops waits until it has stopped', async () => {
  const dataDir = await emptyDataDir();
  const owner = await startFor(dataDir);
  const [, successor] = await Promise.all([owner.stop(), startFor(dataDir)]);

  expect(await query(successor.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server that dies is restarted at the same address', async () => {
  const server = await startFor(await emptyDataDir());
  await query(server.url, 'create table kept ()');
  process.kill(await postmasterPid(server.directory), 'SIGKILL');

  await expect.poll(() => query(server.url, 'select from kept').catch(() => 'unreachable')).toEqual([]);
  await expect.poll(() => messages.at(-1)).toBe('The connection to PostgreSQL is restored.');
});

test('a problem with a data directory is reported in one sentence', async () => {
  const dataDir = await emptyDataDir();
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  await expect(startEmbeddedPostgres({ dataDir: join(file, 'data'), log })).rejects.toThrow(
    `The data directory ${join(file, 'data')} cannot be created (ENOTDIR).`,
  );

  const server = await startFor(dataDir);
  await server.stop();
  await writeFile(join(server.directory, 'postgresql.auto.conf'), 'no_such_setting = 1\n');
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /^PostgreSQL did not start in .*; the end of its log:\n.*no_such_setting/,
  );

  await rm(join(server.directory, 'postgresql.auto.conf'));
  await writeFile(join(dataDir, 'postgres-password'), 'forgotten');
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    `The password stored in ${dataDir} is not the password of its database.`,
  );
  await stopPostmaster(server.directory);

  await rm(join(dataDir, 'postgres-password'));
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    `The database password cannot be read from ${join(dataDir, 'postgres-password')} (ENOENT).`,
  );
});

test('a database moves with its data directory, and a new data directory in its place does not open it', async () => {
  const dataDir = await emptyDataDir();
  const before = await startFor(dataDir);
  await query(before.url, 'create table kept ()');
  await before.stop();

  const moved = join(await emptyDataDir(), 'moved');
  await rename(dataDir, moved);
  const after = await startFor(moved);
  expect(await query(after.url, 'select from kept')).toEqual([]);
  await after.stop();

  await rm(moved, { recursive: true });
  const recreated = await startFor(dataDir);
  await expect(query(recreated.url, 'select from kept')).rejects.toMatchObject({ code: '42P01' });
});

async function adminUrl(dataDir: string, url: string): Promise<string> {
  const admin = new URL(url);
  admin.username = 'perpetua';
  admin.password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  return admin.href;
}

const ROLE = `SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
  pg_get_userbyid(datdba) AS owner FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`;
const ORDINARY_ROLE = {
  rolname: 'perpetua_service',
  rolsuper: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolreplication: false,
  rolbypassrls: false,
  owner: 'perpetua_service',
};

async function emptyDataDir(): Promise<string> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'perpetua-embedded-')));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function startFor(dataDir: string, connections = 0) {
  const server = await startEmbeddedPostgres({ dataDir, log, connections });
  onTestFinished(async () => {
    await server.stop();
    await removeHome(server.directory);
  });
  return server;
}

async function removeHome(directory: string): Promise<void> {
  const home = dirname(directory);
  const names = await readdir(dirname(home));
  const created = names.filter((name) => name === basename(home) || name.startsWith(`${basename(home)}.left-`));
  await Promise.all(created.map((name) => rm(join(dirname(home), name), { recursive: true, force: true })));
}

/** Starts the owner in its own process and process group, as a terminal does. */
async function startInChild(
  dataDir: string,
): Promise<{ child: ChildProcess; started: { url: string; directory: string } }> {
  const file = join(dataDir, 'owner.mjs');
  const bundle = await rolldown({ input: new URL('embedded-postgres.ts', import.meta.url).pathname, platform: 'node' });
  await bundle.write({ file, format: 'esm' });
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(file)});
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => undefined });
    process.once('SIGTERM', () => server.stop());
    console.log(JSON.stringify(server));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const started = JSON.parse(line) as { url: string; directory: string };
    onTestFinished(async () => {
      await stopPostmaster(started.directory);
      await removeHome(started.directory);
    });
    return { child, started };
  }
  throw new Error('The child process did not start PostgreSQL.');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

async function postmasterPid(directory: string): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10);
}

/** A zombie, which has ended but was not waited for, has an empty command line. */
function isAlive(pid: number): boolean {
  if (existsSync('/proc/self')) return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a directory whose path is too long has no socket', () => {
  expect(hasRoomForSocket(`/${'d'.repeat(87)}`)).toBe(process.platform !== 'win32');
  expect(hasRoomForSocket(`/${'d'.repeat(88)}`)).toBe(false);
  expect(hasRoomForSocket(`/${'é'.repeat(44)}`)).toBe(false);
});
