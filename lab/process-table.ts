import { readdirSync, readFileSync } from 'node:fs';

/** A file of a process in /proc; empty if there is none. */
function textOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The direct children of a process; none where there is no /proc. */
export function childrenOf(pid: number): number[] {
  const text = textOf(pid, `task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

export const commandOf = (pid: number): string => textOf(pid, 'cmdline');

/** Sends a signal. False if there is no such process. */
export function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The most memory that a process has had, in bytes; NaN where there is no /proc. */
export function peakMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(textOf(pid, 'status'))?.[1]) * 1024;
}

const MS_PER_TICK = 10;

/**
 * Milliseconds of processor time of the threads of a process so far, and of its children that have ended; null without /proc. The threads'
 * times are exact: those in ticks (of `stat`) charge a whole tick to a thread that runs shortly when one is counted, as timers do.
 */
export function processorTime(pid: number): number | null {
  const stat = textOf(pid, 'stat');
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
  return threadsOf(pid).reduce((sum, thread) => sum + nanoseconds(pid, thread) / 1e6, ended);
}

const nanoseconds = (pid: number, thread: string): number =>
  Number(textOf(pid, `task/${thread}/schedstat`).split(' ')[0]);

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The same for processes with all that they started; NaN without /proc. */
export const processorTimeOfTree = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (processorTime(pid) ?? Number.NaN) + processorTimeOfTree(childrenOf(pid)), 0);
