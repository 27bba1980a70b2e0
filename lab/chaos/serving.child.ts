import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../server/config.ts';
import { databaseProblem } from '../../server/platform/db/database-problem.ts';
import { createLog } from '../../server/platform/observe/log.ts';
import { createShutdown } from '../../server/platform/process/shutdown.ts';
import type { Backends } from '../../server/processes/backends.ts';
import { runChild } from '../../server/processes/child.ts';
import { serve } from '../../server/processes/serve.ts';
import { supervise } from '../../server/processes/supervise.ts';

// A serving process as main.ts starts it, without pages, or a parent of several. The database and the network are
// started by the harness.
const shutdown = createShutdown();
process.once('SIGTERM', () => void shutdown.run(0));

const config = readConfig();
const log = createLog(config, { pid: process.pid });
const parts = { config, log, shutdown, backups: null, startPages: null };

/** The memory of a process, after a garbage collection. */
export interface UsedMemory {
  readonly pid: number;
  readonly bytes: number;
}

if (cluster.isWorker) {
  process.on('message', (message) => {
    if (message === 'memory') void usedMemory().then((memory) => process.send?.({ memory }));
  });
  await runChild(parts).catch(fail);
} else {
  process.once('disconnect', () => process.exit(1));
  process.on('message', (message) => {
    if (message === 'memory') void memoryOfAll().then((all) => process.send?.(all));
  });
  await start().catch(fail);
  process.send?.('serving');
}

function fail(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const databaseUrl = config.DATABASE_URL ?? '';
  const problem = await databaseProblem(databaseUrl);
  if (problem) throw new Error(problem);
  const backends: Backends = {
    databaseUrl,
    databaseDirectory: null,
    // The kind decides how often bundles are looked up; the harness does not wait 15 seconds.
    gateway: { urls: config.ARWEAVE_GATEWAY_URL ?? [], kind: 'devnet', wallet: config.ARWEAVE_WALLET_FILE ?? '' },
  };
  if (config.PROCESSES === 1) await serve({ ...parts, backends });
  else {
    const { reload } = await supervise({ ...parts, backends, entry: () => fileURLToPath(import.meta.url) });
    process.on('SIGHUP', reload);
  }
}

async function memoryOfAll(): Promise<readonly UsedMemory[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  const ofWorkers = workers.map(
    (worker) =>
      new Promise<UsedMemory>((resolve) => {
        const receive = (message: { readonly memory?: UsedMemory }) => {
          if (!message.memory) return;
          worker?.off('message', receive);
          resolve(message.memory);
        };
        worker?.on('message', receive);
        worker?.send('memory');
      }),
  );
  return Promise.all([usedMemory(), ...ofWorkers]);
}

async function usedMemory(): Promise<UsedMemory> {
  // A second collection frees what the finalizers of the first released.
  for (let times = 0; times < 2; times++) {
    globalThis.gc?.();
    await sleep(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { pid: process.pid, bytes: heapUsed + external };
}
