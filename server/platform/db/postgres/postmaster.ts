import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../listening/free-port.ts';
import { type Account, runsAsRoot } from './account.ts';
import { type Binaries, CLEAN_ENVIRONMENT } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { markLog, readLogSince, startupLog } from './server-log.ts';

const run = promisify(execFile);

/** A PostgreSQL data directory (absolute, links resolved), and the account and programs that run it. */
export type Cluster = { directory: string; account: Account; binaries: Binaries };

/** A running server. It listens on 127.0.0.1 and, if the path is short enough, on a socket in its private directory. */
export type Postmaster = { pid: number; port: number; socketDirectory: string | null };

const MEGABYTE = 2 ** 20;
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/** A quarter of the memory, where PostgreSQL advises to start, within limits: docs/performance.md. */
const sharedMegabytes = Math.min(Math.max(Math.floor(memory / 4 / MEGABYTE), 128), 512);

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: `${sharedMegabytes}MB`,
  max_wal_size: '1GB',
  min_wal_size: '128MB',
  checkpoint_timeout: '5min',
  checkpoint_completion_target: '0.9',
  wal_compression: 'on',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  client_connection_check_interval: '500ms',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  // Error details quote rows, and erasable data must not remain in a log.
  log_error_verbosity: 'terse',
};

/**
 * Waits until the server running on a directory is ready; undefined if there is none or it stops. After a machine crash
 * the pid file may be empty or name an unrelated process; it is then removed.
 * @throws {EmbeddedPostgresError} if a server is not ready after ten minutes
 */
export async function findPostmaster(
  directory: string,
  log: (message: string) => void,
): Promise<Postmaster | undefined> {
  const wait = startWaiting(`PostgreSQL in ${directory}`, log);
  for (let mismatches = 0; ; ) {
    const file = await readPidFile(directory);
    if (!file || (file.pid > 0 && !isAlive(file.pid))) return undefined;
    if (file.pid > 0 && (await isPostmasterOf(file.pid, directory))) {
      if (file.ready && file.port) return postmasterOf(file);
    } else if (++mismatches > 25) {
      log(`Removing the stale PostgreSQL pid file in ${directory}.`);
      await rm(join(directory, 'postmaster.pid'), { force: true });
      return undefined;
    }
    await wait();
  }
}

/** The server that runs on a directory: its pid, and the rest once it is ready. Undefined if there is none. */
export async function runningPostmaster(
  directory: string,
): Promise<{ pid: number; ready: Postmaster | null } | undefined> {
  const file = await readPidFile(directory);
  if (!file || !(await isPostmasterOf(file.pid, directory))) return undefined;
  return { pid: file.pid, ready: file.ready && file.port ? postmasterOf(file) : null };
}

/** Settings of a server that differ from those of every other. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Starts the server detached, so that neither Ctrl-C in the terminal nor the end of this process stops it.
 * @param port undefined for any free one
 * @param limitMs after which a start counts as failed
 * @throws {EmbeddedPostgresError} with the end of the server's log
 */
export async function launchPostmaster(
  cluster: Cluster,
  log: (message: string) => void,
  port?: number,
  settings: ServerSettings = {},
  limitMs = START_LIMIT_MS,
): Promise<Postmaster> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const outcome = await launchOnce(cluster, port ?? (await freePort()), settings, log, limitMs);
    if (typeof outcome !== 'string') return outcome;
    const existing = await findPostmaster(cluster.directory, log);
    if (existing) return existing;
    if (!TRANSIENT.test(outcome) || Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL did not start in ${cluster.directory}; the end of its log:\n${outcome.split('\n').slice(-20).join('\n')}`,
      );
    }
    await sleep(250);
  }
}

const TRANSIENT = /could not bind|pre-existing shared memory block|lock file "postmaster\.pid"/;

async function launchOnce(
  cluster: Cluster,
  port: number,
  settings: ServerSettings,
  log: (message: string) => void,
  limitMs: number,
): Promise<Postmaster | string> {
  const { directory } = cluster;
  const mark = await markLog(directory);
  const child = spawnServer(cluster, port, settings);
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `(no output; it ended with ${signal ?? `exit code ${code}`})`;
  });
  const wait = startWaiting(`PostgreSQL in ${directory}`, log, limitMs);
  while (ended === undefined) {
    const file = await readPidFile(directory);
    if (file?.pid === child.pid && file?.ready) return postmasterOf({ ...file, port });
    await wait();
  }
  return (await readLogSince(directory, mark)) || ended;
}

function spawnServer({ directory, account, binaries }: Cluster, port: number, added: ServerSettings): ChildProcess {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const output = openSync(startupLog(directory), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o644);
  const sockets = hasRoomForSocket(directory) ? directory : '';
  const settings = Object.entries({ ...SETTINGS, ...added, port: String(port), unix_socket_directories: sockets });
  try {
    const child = spawn(
      join(binaries.directory, 'bin', 'postgres'),
      ['-D', directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        cwd: directory,
        env: CLEAN_ENVIRONMENT,
        detached: true,
        stdio: ['ignore', output, output],
        ...(runsAsRoot() ? account : {}),
      },
    );
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/**
 * Stops the server of a directory, whichever process started it: a fast shutdown, after 20 s an immediate one.
 * @throws {EmbeddedPostgresError} if it still runs after 30 s
 */
export async function stopPostmaster(directory: string): Promise<void> {
  const file = await readPidFile(directory);
  if (!file || file.pid === 0 || !(await isPostmasterOf(file.pid, directory))) return;
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    const deadline = Date.now() + timeoutMs;
    kill(file.pid, signal);
    while (Date.now() < deadline) {
      if (!(await isPostmasterOf(file.pid, directory))) return;
      await sleep(20);
    }
  }
  throw new EmbeddedPostgresError(`PostgreSQL in ${directory} (process ${file.pid}) does not stop.`);
}

/** The parsed pid file; 0 for lines that are missing or not yet written. */
type PidFile = { pid: number; port: number; socketDirectory: string; ready: boolean };

const postmasterOf = ({ pid, port, socketDirectory }: PidFile): Postmaster => ({
  pid,
  port,
  socketDirectory: socketDirectory || null,
});

/** In bytes: the limit is 104 with the terminating zero on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 103;

/** PostgreSQL does not start if the socket's path is too long. Windows has no such sockets. */
export const hasRoomForSocket = (directory: string): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(join(directory, '.s.PGSQL.65535')) <= MAX_SOCKET_PATH;

async function readPidFile(directory: string): Promise<PidFile | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`The database in ${directory} cannot be read (${error.code}).`);
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const number = (line: number) => Number.parseInt(lines[line] ?? '', 10) || 0;
  return {
    pid: number(0),
    port: number(3),
    socketDirectory: lines[4]?.trim() ?? '',
    ready: lines[7]?.trim() === 'ready',
  };
}

/** The settings that the server that runs on a directory was started with. */
export async function startedWith(directory: string): Promise<ServerSettings> {
  const options = await readFile(join(directory, 'postmaster.opts'), 'utf8').catch(() => '');
  return Object.fromEntries(
    [...options.matchAll(/"(\w+)=([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Whether a process is the server of a directory. A zombie, whose command line is empty, is not. */
async function isPostmasterOf(pid: number, directory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        );
  return command.replaceAll('\0', ' ').includes(`postgres -D ${directory} `);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const START_LIMIT_MS = 600_000;

/** A pause between two checks. It logs after 5 s, and every 30 s, that it still waits, and throws after `limitMs`. */
function startWaiting(what: string, log: (message: string) => void, limitMs = START_LIMIT_MS): () => Promise<void> {
  const started = Date.now();
  let nextLog = started + 5_000;
  return async () => {
    const now = Date.now();
    if (now > started + limitMs)
      throw new EmbeddedPostgresError(`${what} was not ready after ${limitMs / 60_000} minutes.`);
    if (now > nextLog) {
      nextLog = now + 30_000;
      log(`${what} is not ready yet. After a crash it must first recover.`);
    }
    await sleep(10);
  };
}
