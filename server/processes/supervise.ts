import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProcessReports, ProcessState } from '../admin/process-state.ts';
import type { Config } from '../config.ts';
import type { BackupReport } from '../context.ts';
import { recentProblems } from '../log.ts';
import type { Shutdown } from '../shutdown.ts';
import type { Backends } from './backends.ts';
import type { ChildCalls, ParentCalls } from './calls.ts';
import { openChannel } from './channel.ts';
import { createSharedCounts } from './shared-counts.ts';

export interface SupervisorParts {
  readonly config: Config;
  readonly log: Logger;
  readonly backends: Backends;
  readonly backups: BackupReport | null;
  readonly shutdown: Shutdown;
  /** The file that a serving process runs. */
  readonly entry: string;
}

/** The first serving process did not start. It has printed the reason. */
export class ChildFailed extends Error {}

interface Child {
  readonly worker: Worker;
  readonly listening: Promise<number>;
  readonly ended: Promise<void>;
  /** Its report; null if it does not answer. */
  readonly state: () => Promise<ProcessState | null>;
}

/** One of the places that are always filled. */
interface Place {
  child: Child | null;
  isStarting: boolean;
  /** Crashes in a row; decides the pause before the next start. */
  crashes: number;
}

/** A process that has served for this long was not started in vain. */
const STABLE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Requests in flight may take 10 seconds, and stopping the service some more. */
const KILL_AFTER_MS = 30_000;
/** A process that does not report within this time hangs or is still starting. */
const STATE_MS = 2_000;

/**
 * Starts config.PROCESSES serving processes behind one port and keeps them running.
 * @returns the port that they serve
 * @throws {ChildFailed} if the first one does not start.
 */
export async function supervise({ config, log, backends, backups, shutdown, entry }: SupervisorParts): Promise<number> {
  const counts = createSharedCounts(config);
  const children = new Set<Child>();
  const places = Array.from(
    { length: config.PROCESSES },
    (): Place => ({ child: null, isStarting: false, crashes: 0 }),
  );
  const stopping = new AbortController();

  async function everyProcess(): Promise<ProcessReports> {
    const reports = await Promise.all(
      [...children].map(async ({ worker, state }) => ({ pid: worker.process.pid ?? 0, state: await state() })),
    );
    return {
      answered: reports.flatMap(({ state }) => (state ? [state] : [])),
      silent: reports.flatMap(({ pid, state }) => (state ? [] : [pid])),
      parent: { pid: process.pid, problems: recentProblems(log) },
    };
  }

  function fork(): Child {
    cluster.setupPrimary({ exec: entry, args: [], serialization: 'advanced' });
    const worker = cluster.fork();
    const connections = counts.connectionsOfProcess();
    const channel = openChannel<ChildCalls, ParentCalls>(worker.process, {
      everyProcess,
      backends: () => backends,
      backups: () => backups && { state: backups.state(), problem: backups.problem() },
      charge: counts.charge,
      opened: connections.opened,
      closed(client) {
        connections.closed(client);
        return null;
      },
    });
    const ended = once(worker, 'exit').then(() => {
      children.delete(child);
      connections.ended();
    });
    const listening = new Promise<number>((resolve, reject) => {
      worker.once('listening', ({ port }) => resolve(port));
      void ended.then(() => reject(new ChildFailed('a serving process did not start')));
    });
    listening.catch(() => undefined);
    const state = () => Promise.race([channel.ask('state', null), sleep(STATE_MS, null)]).catch(() => null);
    const child: Child = { worker, listening, ended, state };
    children.add(child);
    return child;
  }

  /** Starts a process for an empty place. */
  async function fill(place: Place): Promise<void> {
    const child = fork();
    await child.listening;
    place.child = child;
    const since = performance.now();
    void child.ended.then(() => {
      if (place.child !== child || stopping.signal.aborted) return;
      place.child = null;
      const { exitCode, signalCode } = child.worker.process;
      log.error({ pid: child.worker.process.pid, code: exitCode, signal: signalCode }, 'a serving process ended');
      if (performance.now() - since > STABLE_MS) place.crashes = 0;
      void refill(place);
    });
  }

  async function refill(place: Place): Promise<void> {
    if (place.isStarting) return;
    place.isStarting = true;
    while (!place.child && !stopping.signal.aborted) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** place.crashes, LONGEST_PAUSE_MS);
      place.crashes += 1;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (place.child || stopping.signal.aborted) break;
      await fill(place).catch(() => log.error('a serving process did not start and is started again'));
    }
    place.isStarting = false;
  }

  shutdown.addStep('the counters', counts.close);
  shutdown.addStep('the serving processes', async () => {
    stopping.abort();
    await Promise.all([...children].map(end));
  });

  const [first, ...others] = places;
  if (!first) throw new Error('PROCESSES is at least 1.');
  await fill(first);
  await Promise.all(others.map((place) => fill(place).catch(() => refill(place))));
  const port = (await first.child?.listening) ?? config.PORT;

  return port;
}

/** By a signal, which also ends a process that is still starting and reads no messages yet. */
async function end({ worker, ended }: Child): Promise<void> {
  worker.process.kill('SIGTERM');
  const late = setTimeout(() => worker.process.kill('SIGKILL'), KILL_AFTER_MS);
  await ended;
  clearTimeout(late);
}
