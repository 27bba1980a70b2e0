import { cpus, loadavg, platform, release, totalmem } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly kernel: string;
}

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${platform()} ${release()}`,
  };
}

/** Processes that wanted a core, on average of the last minute: what else the machine was doing. */
export const loadOfLastMinute = (): number => loadavg()[0] ?? 0;
