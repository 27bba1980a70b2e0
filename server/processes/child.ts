import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { readProcessState } from '../admin/process-state.ts';
import type { Config } from '../config.ts';
import { type BackupReport, getContext } from '../context.ts';
import type { ParentProcess } from '../parent-process.ts';
import type { Shutdown } from '../shutdown.ts';
import type { BackupsNow, ChildCalls, ParentCalls } from './calls.ts';
import { openChannel } from './channel.ts';
import { serve } from './serve.ts';

/** Runs one of the serving processes of a parent. It ends with the parent. */
export async function runChild({ config, log, shutdown }: { config: Config; log: Logger; shutdown: Shutdown }) {
  const channel = openChannel<ParentCalls, ChildCalls>(process, { state: () => readProcessState(getContext()) });
  // Without this, Node ends the process at once when the parent dies, with requests in flight.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => void shutdown.run(0));

  const parent: ParentProcess = {
    charge: (charges) => channel.ask('charge', charges),
    connections: {
      opened: (client) => channel.ask('opened', client),
      // A parent that has ended needs no count.
      closed: (client) => void channel.ask('closed', client).catch(() => undefined),
    },
  };
  const backends = await channel.ask('backends', null);
  const backups = await backupReport(() => channel.ask('backups', null));
  const everyProcess = () => channel.ask('everyProcess', null);
  await serve({ config, log, backends, backups, shutdown, parent, everyProcess });
}

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
