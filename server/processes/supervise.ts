import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { BackupReport } from '../http/context.ts';
import { createRecentWrites } from '../http/recent-writes.ts';
import type { Shutdown } from '../platform/process/shutdown.ts';
import type { Backends } from './backends.ts';
import { retirementMs } from './retirement.ts';
import { type ServingProcess, startServingProcess } from './serving-process.ts';
import { createSharedCounts } from './shared-counts.ts';
import { createSharedMetrics } from './shared-metrics.ts';

export interface SupervisorParts {
  readonly config: Config;
  readonly log: Logger;
  readonly backends: Backends;
  readonly backups: BackupReport | null;
  readonly shutdown: Shutdown;
  /** The file that a serving process runs, of the current build. */
  readonly entry: () => string;
}

export interface Supervisor {
  /** The port that the processes serve. */
  readonly port: number;
  /** Replaces, one after another, every process that was started before the last call. */
  reload(): void;
}

/** What a process was started from. */
interface Release {
  /** The calls of `reload` before. */
  readonly number: number;
  readonly entry: string;
}

/** One of the places that are always filled. */
interface Place {
  process: ServingProcess | null;
  /** The number of the release of its process. */
  release: number;
  isStarting: boolean;
  /** Crashes in a row; decides the pause before the next start. */
  crashes: number;
}

/** A process that has served for this long was not started in vain. */
const STABLE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Starts config.PROCESSES serving processes behind one port and keeps them running.
 * @throws {StartFailed} if the first one does not start.
 */
export async function supervise(parts: SupervisorParts): Promise<Supervisor> {
  const { config, log, backends, backups, shutdown } = parts;
  const counts = createSharedCounts(config);
  const shared = {
    backends,
    backups,
    counts,
    metrics: createSharedMetrics(),
    recentWrites: createRecentWrites(),
    retirementMs: retirementMs(config),
  };
  const running = new Set<ServingProcess>();
  const places = Array.from(
    { length: config.PROCESSES },
    (): Place => ({ process: null, release: 0, isStarting: false, crashes: 0 }),
  );
  const stopping = new AbortController();
  /** The last release that has started. A process that crashed is started from it. */
  let release: Release = { number: 0, entry: parts.entry() };
  let reloads = 0;
  let isReloading = false;

  const reportFailure = ({ message: reason }: Error) => {
    if (!stopping.signal.aborted) log.error({ reason }, 'a serving process did not start; trying again');
  };

  /** Starts a process for a place, which keeps the one that it has until the new one serves. */
  async function fill(place: Place, { number, entry }: Release): Promise<void> {
    const child = startServingProcess(entry, shared);
    running.add(child);
    void child.ended.then(() => running.delete(child));
    await child.listening;
    place.process = child;
    place.release = number;
    const since = performance.now();
    void child.ended.then(({ code, signal }) => {
      if (place.process !== child || stopping.signal.aborted) return;
      place.process = null;
      log.error({ pid: child.pid, code, signal }, 'a serving process ended');
      if (performance.now() - since > STABLE_MS) place.crashes = 0;
      void refill(place);
    });
  }

  async function refill(place: Place): Promise<void> {
    if (place.isStarting) return;
    place.isStarting = true;
    while (!place.process && !stopping.signal.aborted) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** place.crashes, LONGEST_PAUSE_MS);
      place.crashes += 1;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      await fill(place, release).catch(reportFailure);
    }
    place.isStarting = false;
    // It was started before a reload that ended without it.
    if (place.release < release.number) void replaceAll();
  }

  /** Returns whether the new process serves. */
  async function replace(place: Place): Promise<boolean> {
    const old = place.process;
    const next = { number: reloads, entry: parts.entry() };
    place.isStarting = true;
    try {
      await fill(place, next);
      release = next;
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error(
          { reason: (error as Error).message },
          'the reload failed: a new process did not start; the old ones continue to serve',
        );
      return false;
    } finally {
      place.isStarting = false;
      if (!place.process && !stopping.signal.aborted) void refill(place);
    }
    await old?.retire();
    return true;
  }

  /** Replaces what is older than the last call of `reload`. A call in the meantime adds to it. */
  async function replaceAll(): Promise<void> {
    if (isReloading) return;
    isReloading = true;
    log.info('reloading the serving processes');
    let hasFailed = false;
    while (!hasFailed && !stopping.signal.aborted) {
      const place = places.find((one) => one.process && !one.isStarting && one.release < reloads);
      if (!place) break;
      const asked = reloads;
      hasFailed = !(await replace(place)) && asked === reloads;
    }
    if (!hasFailed && !stopping.signal.aborted)
      log.info({ pids: places.map(({ process }) => process?.pid) }, 'the serving processes were reloaded');
    isReloading = false;
  }

  shutdown.addStep('the counters', counts.close);
  shutdown.addStep('the serving processes', async () => {
    stopping.abort();
    await Promise.all([...running].map((child) => child.end()));
  });

  const [first, ...others] = places;
  if (!first) throw new Error('PROCESSES is at least 1.');
  await fill(first, release);
  await Promise.all(
    others.map((place) =>
      fill(place, release).catch((error: Error) => {
        reportFailure(error);
        return refill(place);
      }),
    ),
  );
  return {
    port: (await first.process?.listening) ?? config.PORT,
    reload() {
      reloads += 1;
      void replaceAll();
    },
  };
}
