import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TEST_AUTHORITY } from '../server/features/events/webhooks/test-receiver.ts';
import { freePort } from '../server/platform/listening/free-port.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INHERITED = ['PATH', 'HOME', 'USER', 'TMPDIR', 'npm_execpath'];

export interface Product {
  readonly baseUrl: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts the built product on a free port with an empty data directory, and waits until it serves. Its output goes to `logFile`. */
export async function startProduct(settings: Record<string, string>, logFile: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'perpetua-e2e-'));
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  const server = spawn(process.execPath, ['server/launch/start.mjs'], {
    cwd: ROOT,
    // TRUST_PROXY lets each user of a test have another client address (fixtures.ts), so that rate limits stay on.
    env: {
      ...inheritedEnvironment(),
      NODE_ENV: 'production',
      PORT: port,
      DATA_DIR: dataDir,
      DEVNET_BLOCK_MS: '200',
      TRUST_PROXY: '1',
      // Tests then fail if the pages send a request without the id of the ledger.
      LEDGER_ID_REQUIRED: 'true',
      NODE_EXTRA_CA_CERTS: await certificateAuthorities(dataDir),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(server, 'exit');
  let output = '';
  const log = createWriteStream(logFile);
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk) => {
      log.write(chunk);
      output = `${output}${chunk}`.slice(-20_000);
    });
  }

  const stop = async () => {
    server.kill('SIGTERM');
    const [code] = await Promise.race([exited, sleep(60_000, ['timeout'], { ref: false })]);
    if (code === 'timeout') server.kill('SIGKILL');
    const cluster = await realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
    await rm(dirname(cluster), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The server did not shut down cleanly (exit code ${code}). Its output:\n${output}`);
  };

  const deadline = Date.now() + 600_000;
  while (!(await isReady(baseUrl))) {
    if (server.exitCode !== null || server.signalCode !== null || Date.now() > deadline) {
      await stop().catch(() => undefined);
      throw new Error(`The server did not become ready. Its output:\n${output}`);
    }
    await sleep(100);
  }
  return { baseUrl, dataDir, stop };
}

/** No settings, so that the product under test uses no real database, network or key. */
function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** A file with the authority of the receiver, and with those that the environment names. */
async function certificateAuthorities(folder: string): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: given } = process.env;
  const file = join(folder, 'authorities.pem');
  await writeFile(file, `${given ? await readFile(given, 'utf8') : ''}\n${TEST_AUTHORITY}`);
  return file;
}

/** Whether every part is ready and a page is served: a first page takes long, and no test should wait for it. */
async function isReady(baseUrl: string): Promise<boolean> {
  try {
    for (const path of ['/ready', '/']) {
      const response = await fetch(baseUrl + path, { signal: AbortSignal.timeout(60_000) });
      await response.text();
      if (!response.ok) return false;
    }
    return true;
  } catch {
    return false;
  }
}
