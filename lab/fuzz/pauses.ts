import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Pause {
  readonly from: number;
  readonly to: number;
}

/** The pauses of this machine. */
export interface Pauses {
  /**
   * The milliseconds of a time in which the machine did not serve: a bare server was late, or the main thread of the
   * service waited for a processor (Linux). The larger of the two.
   */
  within(from: number, to: number): number;
  /** The longest time that the bare server was late. */
  longest(): number;
  stop(): void;
}

const EVERY_MS = 25;
/** What the bare server needs on a machine that is not paused. */
const USUAL_MS = 20;

/** @param root the project folder @param directory on the disk of the service @param pid the process of the service */
export async function watchPauses(root: string, directory: string, pid: number): Promise<Pauses> {
  const child = fork(join(root, 'lab', 'fuzz', 'control.mjs'), [join(directory, 'control')]);
  const [{ port }] = (await once(child, 'message')) as [AddressInfo];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pauses: Pause[] = [];
  const waits: Wait[] = [];
  let waitingSince: number | null = null;
  let isOver = false;

  const ask = () =>
    new Promise<void>((resolve) => {
      get({ port, host: '127.0.0.1', agent }, (response) => void response.resume().once('close', resolve)).once(
        'error',
        () => resolve(),
      );
    });
  void (async () => {
    while (!isOver) {
      const from = performance.now();
      waitingSince = from;
      waits.push({ at: from, total: waitOf(pid) });
      if (waits.length > MAX_WAITS) waits.splice(0, MAX_WAITS / 2);
      await ask();
      waitingSince = null;
      const to = performance.now();
      if (to - from > USUAL_MS) pauses.push({ from, to });
      await sleep(EVERY_MS);
    }
  })();

  return {
    within(from, to) {
      const current = waitingSince === null ? [] : [{ from: waitingSince, to: performance.now() }];
      const waited = waitOf(pid) - (waits.findLast(({ at }) => at <= from)?.total ?? 0);
      return Math.max(overlap([...pauses, ...current], from, to), waited);
    },
    longest: () => Math.max(0, ...pauses.map(({ from, to }) => to - from)),
    stop() {
      isOver = true;
      agent.destroy();
      child.kill('SIGKILL');
    },
  };
}

interface Wait {
  readonly at: number;
  /** Milliseconds since the start of the process. */
  readonly total: number;
}

/** More than the longest request needs. */
const MAX_WAITS = 4_000;

/** How long the main thread of a process has been ready to run without a processor; 0 where it is unknown. */
function waitOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** How much of the time between two moments the pauses, which do not overlap, took. */
export const overlap = (pauses: readonly Pause[], from: number, to: number): number =>
  pauses.reduce((sum, pause) => sum + Math.max(0, Math.min(pause.to, to) - Math.max(pause.from, from)), 0);
