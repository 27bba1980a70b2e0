import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/embedded/free-port.ts';

export interface ServerUnderTest {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** From the start of the process to the first healthy answer. */
  readonly startSeconds: number;
  /** Resolves when the process has stopped everything of its own and ended. */
  stop(): Promise<void>;
}

const HEALTHY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 30_000;
const LOG_LINES_SHOWN = 15;
const LOG_LINE_SHOWN = 400;

/** Set in the bench's environment, they would point the server somewhere else than at its own embedded parts. */
const NOT_INHERITED = [
  'DATABASE_URL',
  'REDIS_URL',
  'UPSTASH_REDIS_REST_URL',
  'UPSTASH_REDIS_REST_TOKEN',
  'ARWEAVE_GATEWAY_URL',
  'ARWEAVE_WALLET_FILE',
  'RELAYER_KEY_FILE',
  'VAULT_KEY',
  'INSTITUTE_KEY_DIGESTS',
  'PUBLIC_URL',
  'HOST',
];

/** The environment in which everything of this bench runs on the data directory given. */
export const environmentOf = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(NOT_INHERITED.map((name) => [name, ''])),
  DATA_DIR: dataDir,
  DOMAIN_SUFFIX: 'bsp',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
});

/**
 * Starts the service as `npm start` does, with its embedded database and devnet, in a process of its own.
 * @param options.profileFolder where the process leaves a CPU profile when it ends, if it is to make one
 * @param options.onSpawned told how to stop it, even before it is healthy
 * @throws {Error} with the end of its log, when it does not become healthy.
 */
export async function startServer(
  dataDir: string,
  { profileFolder, onSpawned }: { profileFolder: string | null; onSpawned: (stop: () => Promise<void>) => void },
): Promise<ServerUnderTest> {
  mkdirSync(dataDir, { recursive: true });
  const logFile = join(dataDir, 'server.log');
  const log = openSync(logFile, 'a');
  const port = await freePort();
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const begun = performance.now();
  const child = spawn(process.execPath, [...profiling, join('server', 'start.mjs')], {
    env: { ...environmentOf(dataDir), PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(late);
  }
  onSpawned(stop);

  const url = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(url))) {
    if (hasEnded() || performance.now() - begun > HEALTHY_WITHIN_MS) {
      await stop();
      throw new Error(`The server did not become healthy; the end of its log:\n${endOf(logFile)}`);
    }
    await sleep(10);
  }
  return { pid: child.pid ?? 0, port, url, startSeconds: (performance.now() - begun) / 1000, stop };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

/** The last lines a server has logged; at the level of the bench that is what went wrong, but for a word of Next's own. */
export const endOf = (logFile: string): string =>
  readFileSync(logFile, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.includes('Running next.config.js'))
    .slice(-LOG_LINES_SHOWN)
    .map((line) => line.slice(0, LOG_LINE_SHOWN))
    .join('\n');
