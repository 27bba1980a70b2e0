import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/platform/listening/free-port.ts';

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** The folder whose code it runs. */
  readonly checkout: string;
  readonly dataDir: string;
  /** Its environment, for commands that run on the same data. */
  readonly env: NodeJS.ProcessEnv;
  /** From the start of the process to its first healthy response. */
  readonly startSeconds: number;
  /** Resolves when the process and its embedded services have ended. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** The folder whose code is run. */
  readonly checkout: string;
  readonly rateLimits: boolean;
  /** Further settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the process writes a CPU profile when it ends, if anywhere. */
  readonly profileFolder: string | null;
  /** Receives the function that stops the process, before the process is healthy. */
  readonly onSpawned: (stop: () => Promise<void>) => void;
}

const HEALTHY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 30_000;
const MAX_LOG_LINES = 15;

/** Of the caller's environment only what programs need, because a setting in it could replace an embedded service. */
function environment({ dataDir, rateLimits, settings }: ServerOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return {
    ...{ NODE_ENV: 'production', PATH, HOME, TMPDIR },
    DATA_DIR: dataDir,
    DOMAIN_SUFFIX: 'bsp',
    RATE_LIMIT: rateLimits ? 'on' : 'off',
    // The load generator is the proxy: it sends each request with the address of another client.
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    ...settings,
  };
}

/**
 * Starts the service as `npm start` does, with its embedded database and network, in its own process.
 * @throws {Error} with the end of its log, when it does not become healthy.
 */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { dataDir, checkout, profileFolder, onSpawned } = options;
  mkdirSync(dataDir, { recursive: true });
  const log = openSync(logOf(dataDir), 'a');
  const port = await freePort();
  const env = environment(options);
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const begun = performance.now();
  const child = spawn(process.execPath, [...profiling, launcher(checkout, 'start')], {
    cwd: checkout,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }
  onSpawned(stop);

  const url = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(url))) {
    if (hasEnded() || performance.now() - begun > HEALTHY_WITHIN_MS) {
      await stop();
      throw new Error(`The server did not become healthy. The end of its log:\n${endOfLog(dataDir)}`);
    }
    await sleep(10);
  }
  const startSeconds = (performance.now() - begun) / 1000;
  return { pid: child.pid ?? 0, port, url, checkout, dataDir, env, startSeconds, stop };
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The program that `npm run NAME` runs in a checkout, whose version may have it in another folder. */
export function launcher(checkout: string, name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const program = /\S+\.mjs/.exec(scripts[name])?.[0];
  if (program === undefined) throw new Error(`${checkout} has no program for "npm run ${name}".`);
  return program;
}

const logOf = (dataDir: string): string => join(dataDir, 'server.log');

const endOfLog = (dataDir: string): string =>
  readFileSync(logOf(dataDir), 'utf8').trim().split('\n').slice(-MAX_LOG_LINES).join('\n');
