import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureRedis } from '../../../launch/redis.mjs';
import { freePort } from '../../../platform/listening/free-port.ts';

export type RedisProcess = {
  url: string;
  start: () => Promise<void>;
  /** kill -9: the server does not close its connections. */
  kill: () => Promise<void>;
  /** The server keeps its connections but does not respond until it is resumed. */
  freeze: () => void;
  resume: () => void;
  remove: () => Promise<void>;
};

/** A Redis or Valkey server on a free loopback port, without persistence. It is not started yet. */
export async function createRedisProcess(): Promise<RedisProcess> {
  const { path, advice } = ensureRedis();
  if (path === null) throw new Error(advice);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-redis-'));
  let server: ChildProcess | undefined;
  const killAtExit = () => server?.kill('SIGKILL');
  process.on('exit', killAtExit);

  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const flags = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
      server = spawn(
        path,
        Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      if (!server.stdout) throw new Error('redis-server has no standard output');
      const lines = createInterface({ input: server.stdout });
      for await (const line of lines)
        if (line.includes('Ready to accept connections')) return void server.stdout.resume();
      throw new Error('redis-server ended before it was ready');
    },
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async remove() {
      await kill();
      process.off('exit', killAtExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
