import { readFile } from 'node:fs/promises';
import { childrenOf } from '../chaos/process-table.ts';

/** Memory of a process in bytes; NaN where there is no /proc. */
export interface ResidentMemory {
  readonly now: number;
  readonly peak: number;
}

/** @throws {Error} when the process has ended. */
export async function residentMemory(pid: number): Promise<ResidentMemory> {
  if (process.platform !== 'linux') return { now: Number.NaN, peak: Number.NaN };
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

const MS_PER_TICK = 10;

/** Milliseconds of processor time of all threads of a process so far, and of its children that have ended; null without /proc. */
export async function processorTime(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}

/** The same for processes with all that they started; NaN without /proc. */
export async function processorTimeOfTree(pids: readonly number[]): Promise<number> {
  const times = pids.map(
    async (pid) => ((await processorTime(pid)) ?? Number.NaN) + (await processorTimeOfTree(childrenOf(pid))),
  );
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}
