import cluster from 'node:cluster';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupReport } from '../http/context.ts';
import type { RecentWrites } from '../platform/process/parent-process.ts';
import type { Backends } from './backends.ts';
import { CALLS_VERSION, type ChildCalls, type ParentCalls } from './calls.ts';
import { openChannel } from './channel.ts';
import type { SharedCounts } from './shared-counts.ts';
import type { SharedMetrics } from './shared-metrics.ts';

/** A serving process, as its parent sees it. */
export interface ServingProcess {
  readonly pid: number | undefined;
  /** Resolves with its port. @throws {StartFailed} */
  readonly listening: Promise<number>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Ends it without losing a request: it keeps its connections until their next response. */
  retire(): Promise<void>;
  /** Ends it; it completes the requests in flight. */
  end(): Promise<void>;
}

/** A serving process did not start. The message is what it has printed. */
export class StartFailed extends Error {}

/** What the parent shares with its processes. */
export interface SharedParts {
  readonly backends: Backends;
  readonly backups: BackupReport | null;
  readonly counts: SharedCounts;
  readonly metrics: SharedMetrics;
  readonly recentWrites: RecentWrites;
  /** How long a process that retires may take before it is ended. */
  readonly retirementMs: number;
}

/** A process that does not listen by then is ended. Migrations are the longest part of a start. */
const START_MS = 120_000;
/** Requests in flight may take 10 seconds, and stopping the service some more. */
const KILL_AFTER_MS = 30_000;
/** A process reads its gauges in at most 3 seconds. */
const REPLY_MS = 4_000;
/** How much of what a process prints before it listens is kept. */
const MAX_PRINTED = 4_000;

/** @param entry the file that it runs, in a folder of builds, in the project folder that its pages are served from */
export function startServingProcess(entry: string, shared: SharedParts): ServingProcess {
  const { backends, backups, counts, recentWrites } = shared;
  cluster.setupPrimary({
    exec: entry,
    cwd: join(dirname(entry), '..', '..'),
    args: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const worker = cluster.fork();
  const connections = counts.connectionsOfProcess();
  const streams = counts.streamsOfProcess();
  const channel = openChannel<ChildCalls, ParentCalls>(worker.process, {
    start: () => ({ version: CALLS_VERSION, backends }),
    backups: () => backups && { state: backups.state(), problem: backups.problem() },
    charge: counts.charge,
    opened: connections.opened,
    closed(client) {
      connections.closed(client);
      return null;
    },
    streamOpened: streams.opened,
    streamClosed(client) {
      streams.closed(client);
      return null;
    },
    async wrote([address, seq]) {
      await recentWrites.wrote(address, seq);
      return null;
    },
    writtenBy: recentWrites.writtenBy,
    metrics: shared.metrics.read,
    lastCounters(counters) {
      metrics.count(counters);
      return null;
    },
  });
  const metrics = shared.metrics.add(() => channel.ask('metrics', null, REPLY_MS));
  const printed = readErrors(worker.process.stderr);
  const ended = once(worker, 'exit').then(([code, signal]) => {
    connections.ended();
    streams.ended();
    metrics.ended();
    return { code, signal };
  });
  const kill = (signal: NodeJS.Signals) => worker.process.kill(signal);

  const listening = new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => kill('SIGKILL'), START_MS);
    worker.once('listening', ({ port }) => {
      clearTimeout(late);
      printed.pass();
      resolve(port);
    });
    void ended.then(async ({ code, signal }) => {
      clearTimeout(late);
      const how = signal === null ? `It ended with status ${code}.` : `It was ended by ${signal}.`;
      reject(new StartFailed((await printed.all()).trim() || how));
    });
  });
  listening.catch(() => undefined);

  async function end(): Promise<void> {
    // By a signal, which also ends a process that is still starting and reads no messages yet.
    kill('SIGTERM');
    const late = setTimeout(() => kill('SIGKILL'), KILL_AFTER_MS);
    await ended;
    clearTimeout(late);
  }

  return {
    pid: worker.process.pid,
    listening,
    ended,
    end,
    async retire() {
      const retires = await channel.ask('retire', null, REPLY_MS).then(
        () => true,
        () => false,
      );
      if (!retires) return end();
      const late = setTimeout(() => void end(), shared.retirementMs + KILL_AFTER_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** What a process prints until it listens is kept as the reason of a failed start, and passed on afterwards. */
function readErrors(stream: NodeJS.ReadableStream | null) {
  let kept = '';
  let passes = false;
  stream?.on('data', (chunk: Buffer) => {
    if (passes) process.stderr.write(chunk);
    else kept = (kept + chunk).slice(-MAX_PRINTED);
  });
  const closed = stream ? once(stream, 'close') : Promise.resolve();
  return {
    pass(): void {
      passes = true;
      process.stderr.write(kept);
    },
    /** The process may end before everything that it printed is read. */
    async all(): Promise<string> {
      await Promise.race([closed, sleep(1_000)]);
      return kept;
    },
  };
}
