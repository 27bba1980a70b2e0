import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensurePgbouncer } from '../../launch/pgbouncer.mjs';
import { freePort } from '../listening/free-port.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** A PgBouncer on a free loopback port in front of a database. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: PoolMode,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-pgbouncer-'));
  chmodSync(folder, 0o755);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=127.0.0.1 port=${url.port}\n`;
  writeFileSync(join(folder, 'users'), `"${url.username}" "${decodeURIComponent(url.password)}"\n`);
  writeFileSync(join(folder, 'pgbouncer.ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  // It does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = await runPgbouncer(join(folder, 'pgbouncer.ini'), nobody);
  url.port = String(port);
  url.searchParams.delete('host');
  return {
    url: url.href,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs PgBouncer with a file of settings, and waits until it serves. @throws {Error} if it is not installed, or ends */
export async function runPgbouncer(file: string, account: { uid?: number; gid?: number }): Promise<ChildProcess> {
  const { path, advice } = ensurePgbouncer();
  if (path === null) throw new Error(advice);
  const child = spawn(path, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
  await serves(child);
  return child;
}

async function serves({ stderr }: ChildProcess): Promise<void> {
  if (!stderr) throw new Error('pgbouncer has no standard error');
  let output = '';
  for await (const line of createInterface({ input: stderr })) {
    output += `${line}\n`;
    if (line.includes('process up')) return void stderr.resume();
  }
  throw new Error(`pgbouncer ended before it was ready:\n${output}`);
}
