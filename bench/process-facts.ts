import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Memory of a process in bytes; `peak` only where the system tells it (Linux), else what it is now. */
export interface ResidentMemory {
  readonly now: number;
  readonly peak: number;
}

/** @throws {Error} when there is no such process any more. */
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

const MS_PER_TICK = 10;

/** Milliseconds of processor time a process has used, in all its threads; null where the system does not tell (not Linux). */
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
