import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testWallet } from '../../server/network/test-wallet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../../server/testing/tcp-proxy.ts';
import { childrenOf } from '../process-table.ts';
import type { Layout, Machine } from './chaos-machine.ts';
import { type Child, createChild } from './child.ts';
import { createSteppedClock, type SteppedClock } from './clocks.ts';
import { type ChaosDatabase, createChaosDatabase } from './database.ts';
import { mountSmallDisk, type SmallDisk } from './disk.ts';

/** A serving process, or a parent of several, with its connection to the database and its clock. */
export interface ServingProcess {
  readonly url: string;
  readonly child: Child;
  /** The ids of the serving processes of a parent. */
  readonly servingIds: () => readonly number[];
  /** Between this process and the database. */
  readonly proxy: TcpProxy;
  /** Null without libfaketime. */
  readonly clock: SteppedClock | null;
}

/** What the rounds run against. Every part is a process of its own. */
export interface Deployment extends Pick<Layout, 'children'> {
  readonly processes: readonly ServingProcess[];
  readonly database: ChaosDatabase;
  readonly devnet: Child;
  readonly gatewayUrl: string;
  readonly walletAddress: string;
  readonly redis: Child | null;
  /** Whether all serving processes share their rate limits: in Redis or in the parent. */
  readonly hasLimits: boolean;
  /** Null without root on Linux. */
  readonly disk: SmallDisk | null;
  readonly dataDir: string;
  readonly instituteKeys: readonly string[];
  /** Secrets of the service that must not be in a log, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The folders and files of all logs. */
  readonly logs: readonly string[];
  /** Starts what does not run, and waits until each process is ready for writes. */
  start(): Promise<void>;
  /** Stops everything and removes its data; the logs too, unless they are kept. */
  remove(options: { readonly keepLogs: boolean }): Promise<void>;
}

const READY_MS = 180_000;
const DEVNET_BLOCK_MS = 50;
const DISK_MB = 1_536;

interface DeploymentParts {
  /** The folder with the built programs `serving.child` and `devnet.child`. */
  readonly programs: string;
  readonly layout: Layout;
  readonly machine: Machine;
  /** A folder for its files, which must not exist. */
  readonly root: string;
}

export async function createDeployment({ programs, layout, machine, root }: DeploymentParts): Promise<Deployment> {
  // The system account that runs PostgreSQL for root must reach its cluster.
  mkdirSync(root, { mode: 0o755 });
  const dataDir = join(root, 'data');
  const logDir = join(root, 'logs');
  for (const folder of [dataDir, logDir]) mkdirSync(folder, { mode: 0o700 });
  const disk = mountSmallDisk(join(root, 'disk'), DISK_MB);
  const { fakeTime, redisServer } = machine;
  const createClock = (name: string) => (fakeTime ? createSteppedClock(fakeTime, join(root, `clock-${name}`)) : null);
  const database = await createChaosDatabase({
    dataDir,
    port: await freePort(),
    disk: disk?.directory ?? null,
    clock: createClock('database'),
  });
  const logFile = (name: string) => join(logDir, `${name}.log`);

  const network = join(disk?.directory ?? dataDir, 'devnet');
  mkdirSync(network, { recursive: true, mode: 0o700 });
  const wallet = await testWallet();
  const walletFile = join(network, 'wallet.json');
  writeFileSync(walletFile, JSON.stringify(wallet), { mode: 0o600 });
  const devnetPort = await freePort();
  const devnet = createChild({
    name: 'devnet',
    kind: 'fork',
    command: join(programs, 'devnet.child.js'),
    args: [network, String(devnetPort), String(DEVNET_BLOCK_MS)],
    env: baseEnvironment,
    logFile: logFile('devnet'),
  });

  const redisPort = await freePort();
  const redis =
    redisServer && layout.children === 1
      ? createChild({
          name: 'redis',
          kind: 'spawn',
          command: redisServer,
          args: [
            '--port',
            String(redisPort),
            '--bind',
            '127.0.0.1',
            '--save',
            '',
            '--appendonly',
            'no',
            '--dir',
            dataDir,
          ],
          env: baseEnvironment,
          logFile: logFile('redis'),
        })
      : null;

  const instituteKeys = Array.from({ length: 3 }, () => randomBytes(24).toString('base64url'));
  const keys = { relayer: randomBytes(32).toString('hex'), vault: randomBytes(32).toString('hex') };
  const webhookKey = randomBytes(32).toString('hex');
  for (const [name, seed] of [
    ['relayer', keys.relayer],
    ['webhook', webhookKey],
  ] as const) {
    writeFileSync(join(dataDir, `${name}.key`), `${seed}\n`, { mode: 0o600 });
  }
  const hasLimits = redis !== null || layout.children > 1;

  async function createProcess(index: number): Promise<ServingProcess> {
    const proxy = await startTcpProxy(database.port);
    const port = await freePort();
    const clock = createClock(String(index));
    const child = createChild({
      name: layout.children > 1 ? 'parent' : `process ${index + 1}`,
      kind: 'fork',
      command: join(programs, 'serving.child.js'),
      args: [],
      execArgv: ['--expose-gc'],
      env: () => ({
        ...baseEnvironment(),
        ...clock?.env,
        PORT: String(port),
        PROCESSES: String(layout.children),
        DATA_DIR: dataDir,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: database.url(proxy.port),
        ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
        ARWEAVE_GATEWAY_URL: `http://127.0.0.1:${devnetPort}`,
        ARWEAVE_WALLET_FILE: walletFile,
        RELAYER_KEY_FILE: join(dataDir, 'relayer.key'),
        WEBHOOK_KEY_FILE: join(dataDir, 'webhook.key'),
        VAULT_KEY: keys.vault,
        INSTITUTE_KEY_DIGESTS: instituteKeys.map((key) => hash('sha256', key)).join(','),
        // The harness is the proxy: each request has the address that the load gives it.
        TRUST_PROXY: '1',
        RATE_LIMIT: hasLimits ? 'on' : 'off',
        BUNDLE_MAX_AGE_MS: '200',
        LOG_LEVEL: 'debug',
      }),
      logFile: logFile(`process-${index + 1}`),
    });
    const servingIds = () => (layout.children > 1 && child.isRunning() ? childrenOf(child.pid()) : []);
    return { url: `http://127.0.0.1:${port}`, child, servingIds, proxy, clock };
  }
  const processes = await Promise.all(Array.from({ length: layout.processes }, (_, index) => createProcess(index)));

  async function start(): Promise<void> {
    await Promise.all([database.start(), devnet.start(), redis?.start()]);
    await Promise.all(processes.map(({ child }) => startAgain(child)));
    await Promise.all(processes.map(({ url }) => untilReady(url)));
  }

  return {
    processes,
    children: layout.children,
    database,
    devnet,
    gatewayUrl: `http://127.0.0.1:${devnetPort}`,
    walletAddress: loadWallet(wallet).address,
    redis,
    hasLimits,
    disk,
    dataDir,
    instituteKeys,
    secrets: {
      'the key of the relayer': keys.relayer,
      'the vault key': keys.vault,
      'the key of webhooks': webhookKey,
      'the key of the wallet': String((wallet as { d?: string }).d),
      'the password of the database': database.password,
      'the password of the service role': new URL(database.url(database.port)).password,
      ...Object.fromEntries(instituteKeys.map((key, index) => [`key ${index + 1} of the institute`, key])),
    },
    logs: [logDir, database.logs],
    start,
    async remove({ keepLogs }) {
      for (const { child, proxy } of processes) {
        await child.signal('SIGKILL');
        await proxy.stop();
      }
      for (const child of [devnet, redis]) await child?.signal('SIGKILL');
      await database.stop();
      disk?.remove();
      rmSync(keepLogs ? dataDir : root, { recursive: true, force: true });
    },
  };
}

const baseEnvironment = (): NodeJS.ProcessEnv => {
  const { PATH = '', HOME = '' } = process.env;
  return { NODE_ENV: 'production', PATH, HOME };
};

/** As a supervisor does: a process ends at once while the database recovers. */
async function startAgain(child: Child): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; ) {
    try {
      await child.start();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Waits until a process serves and its database and limiter work; faults of the gateway do not matter. */
async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    last = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) })
      .then(async (response) => (response.ok ? null : await response.text()))
      .catch((error: Error) => error.message);
    if (last === null) return;
    await sleep(50);
  }
  throw new Error(`${url} was not ready after ${READY_MS / 1000} seconds: ${String(last)}`);
}
