import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Memory of a process in bytes. `peak` is known on Linux only; elsewhere it equals `now`. */
export interface ResidentMemory {
  readonly now: number;
  readonly peak: number;
}

/** @throws {Error} when the process has ended. */
export async function residentMemory(pid: number): Promise<ResidentMemory> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    const now = Number(stdout) * 1024;
    return { now, peak: now };
  }
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  const memory = { now: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 };
  if (Number.isNaN(memory.peak)) throw new Error(`The process ${pid} has ended.`);
  return memory;
}

const SAMPLE_MS = 20;

/** Runs `work` and samples the memory of another process meanwhile, in bytes. The process may end before `work` does. */
export async function peakMemoryDuring<Result>(
  pid: number,
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly peakBytes: number }> {
  let peakBytes = 0;
  let working = true;
  const sampling = (async () => {
    while (working) {
      const memory = await residentMemory(pid).catch(() => null);
      peakBytes = Math.max(peakBytes, memory?.now ?? 0);
      await sleep(SAMPLE_MS);
    }
  })();
  try {
    const result = await work;
    return { result, peakBytes };
  } finally {
    working = false;
    await sampling;
  }
}

const MS_PER_TICK = 10;

/** Milliseconds of processor time of all threads of a process so far; null where it is unknown (not Linux). */
export async function processorTime(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * MS_PER_TICK;
}
