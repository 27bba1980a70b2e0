import { readFileSync } from 'node:fs';

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

/** Milliseconds of processor time of all threads of a process so far, and of its children that have ended; null without /proc. */
export function processorTime(pid: number): number | null {
  const stat = textOf(pid, 'stat');
  if (stat === '') return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
}

/** The same for processes with all that they started; NaN without /proc. */
export const processorTimeOfTree = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (processorTime(pid) ?? Number.NaN) + processorTimeOfTree(childrenOf(pid)), 0);
