import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testWallet } from '../network/test-wallet.ts';
import { stopPostmaster } from '../platform/db/postgres/postmaster.ts';
import { freePort } from '../platform/listening/free-port.ts';
import { requestOnce } from '../processes/test-http-requests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Product {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends a signal and waits for the exit. Returns the exit code, or null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Instance {
  readonly dataDir: string;
  /** Starts the product as `npm start` does, and waits until it is healthy; a first start may build it. */
  start(env?: Record<string, string>): Promise<Product>;
  /** Starts it with settings that prevent a start. Returns its exit code and output. */
  failToStart(env: Record<string, string>): Promise<{ code: number | null; output: string }>;
  /** The process id of its database, or null if none is running. */
  postmaster(): number | null;
  /** Kills remaining processes and removes its data. */
  remove(): Promise<void>;
}

interface InstanceOptions {
  /** The project folder to run. */
  readonly root?: string;
  /** The program that starts it, in that folder. */
  readonly program?: string;
  /** Options of Node. With them, messages can be exchanged with the process. */
  readonly nodeOptions?: readonly string[];
}

/** An instance of the real product with its own data directory and port. */
export async function newInstance(
  settings: Record<string, string> = {},
  { root = ROOT, program = 'server/launch/start.mjs', nodeOptions = [] }: InstanceOptions = {},
): Promise<Instance> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-product-`));
  const port = await freePort();
  mkdirSync(join(dataDir, 'devnet'));
  writeFileSync(join(dataDir, 'devnet', 'wallet.json'), JSON.stringify(await testWallet()), { mode: 0o600 });
  const running = new Set<ChildProcess>();
  const cluster = () => realpathSync(join(dataDir, 'postgres'));

  function launch(env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [...nodeOptions, join(root, program)], {
      cwd: root,
      env: {
        NODE_ENV: 'production',
        PATH,
        HOME,
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ...settings,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(nodeOptions.length > 0 ? (['ipc'] as const) : [])],
    });
    running.add(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
    const ended = once(child, 'close').then(([code]) => {
      running.delete(child);
      return code as number | null;
    });
    return { child, ended, output: () => text };
  }

  return {
    dataDir,
    async start(env = {}) {
      const { child, ended, output } = launch(env);
      const scheme = { ...settings, ...env }.TLS_CERT_FILE ? 'https' : 'http';
      const url = `${scheme}://127.0.0.1:${port}`;
      while (child.exitCode === null && child.signalCode === null) {
        const health = await requestOnce(`${url}/health`, { rejectUnauthorized: false }).catch(() => null);
        if (health?.status === 200) {
          const end = (signal: NodeJS.Signals) => {
            child.kill(signal);
            return ended;
          };
          return { url, process: child, output, end };
        }
        await sleep(50);
      }
      throw new Error(`The product did not start:\n${output()}`);
    },
    async failToStart(env) {
      const { ended, output } = launch(env);
      return { code: await ended, output: output() };
    },
    postmaster() {
      try {
        const pid = Number.parseInt(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8'), 10);
        return process.kill(pid, 0) ? pid : null;
      } catch {
        return null;
      }
    },
    async remove() {
      for (const child of running) child.kill('SIGKILL');
      // With a DATABASE_URL there is none.
      if (existsSync(join(dataDir, 'postgres'))) {
        const directory = cluster();
        await stopPostmaster(directory);
        rmSync(dirname(directory), { recursive: true, force: true });
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
