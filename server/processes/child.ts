import cluster from 'node:cluster';
import { ConfigError } from '../config.ts';
import type { BackupReport } from '../http/context.ts';
import { readCounters } from '../platform/process/metrics-snapshot.ts';
import type { ParentProcess } from '../platform/process/parent-process.ts';
import { type BackupsNow, CALLS_VERSION, type ChildCalls, type ParentCalls } from './calls.ts';
import { type Channel, openChannel } from './channel.ts';
import { retirementMs } from './retirement.ts';
import { type Serving, type ServingParts, serve } from './serve.ts';

/** Runs one of the serving processes of a parent. It ends with the parent. */
export async function runChild({
  config,
  log,
  shutdown,
  startPages,
}: Pick<ServingParts, 'config' | 'log' | 'shutdown' | 'startPages'>): Promise<void> {
  let serving: Serving | null = null;
  function served(): Serving {
    if (!serving) throw new Error('this process does not serve yet');
    return serving;
  }
  const channel = openChannel<ParentCalls, ChildCalls>(process, {
    metrics: () => served().context.metrics.registry.getMetricsAsJSON(),
    retire() {
      void served()
        .retire(retirementMs(config))
        .then(() => shutdown.run(0));
      return null;
    },
  });
  // Without this, Node ends the process at once when the parent dies, with requests in flight.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => void shutdown.run(0));
  // The parent reads standard error. Once it is gone, nothing does.
  process.stderr.on('error', () => undefined);
  shutdown.addStep('the counters', async () => {
    if (!serving || !process.connected) return;
    await channel.ask('lastCounters', await readCounters(serving.context.metrics.registry), SOON_MS);
  });

  const { version, backends } = await channel.ask('start', null);
  if (version !== CALLS_VERSION) {
    throw new ConfigError(
      'This release is not compatible with the running parent process: restart the service instead.',
    );
  }
  const backups = await backupReport(() => channel.ask('backups', null));
  const parent = parentBehind(channel);
  serving = await serve({ config, log, backends, backups, shutdown, parent, startPages });
}

/** Requests and the end of the process wait for the parent for at most this long. */
const SOON_MS = 1_000;
/** A process reads its gauges in at most 3 seconds. */
const METRICS_MS = 6_000;

const parentBehind = (channel: Channel<ParentCalls>): ParentProcess => ({
  charge: (charge) => channel.ask('charge', charge),
  connections: {
    opened: (client) => channel.ask('opened', client),
    // A parent that has ended needs no count.
    closed: (client) => void channel.ask('closed', client).catch(() => undefined),
  },
  streams: {
    opened: (client) => channel.ask('streamOpened', client, SOON_MS),
    closed: (client) => void channel.ask('streamClosed', client).catch(() => undefined),
  },
  recentWrites: {
    wrote: async (address, seq) => void (await channel.ask('wrote', [address, seq], SOON_MS)),
    writtenBy: (address) => channel.ask('writtenBy', address, SOON_MS),
  },
  metrics: () => channel.ask('metrics', null, METRICS_MS),
});

const BACKUPS_EVERY_MS = 1_000;

/** The report of the parent's backups, at most a second old; null if there are none. */
async function backupReport(read: () => Promise<BackupsNow | null>): Promise<BackupReport | null> {
  const first = await read();
  if (!first) return null;
  let latest = first;
  const refresh = async () => {
    latest = (await read().catch(() => null)) ?? latest;
  };
  setInterval(() => void refresh(), BACKUPS_EVERY_MS).unref();
  return { state: () => latest.state, problem: () => latest.problem };
}
