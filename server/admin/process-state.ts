import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../http/context.ts';
import { type Problem, recentProblems } from '../platform/observe/log.ts';

/** What one serving process knows of itself. */
export interface ProcessState {
  readonly pid: number;
  readonly uptime_seconds: number;
  /** Whether it runs the relay and confirm loops. */
  readonly leads: boolean;
  /** Why it does not post or confirm; null if nothing is wrong. */
  readonly posting_problem: string | null;
  /** When each loop last finished a step, ISO 8601; null before the first one. */
  readonly last_steps: Readonly<Record<string, string | null>>;
  readonly queue_operations: number;
  readonly accepted_operations: number;
  readonly refused_requests: number;
  readonly connections_waited_for: number;
  /** The share of the last 200 ms in which it computed. */
  readonly event_loop_busy: number;
  readonly resident_bytes: number;
  /** Newest first. */
  readonly problems: readonly Problem[];
}

/** The processes of one service. */
export interface ProcessReports {
  readonly answered: readonly ProcessState[];
  /** The ids of processes that do not answer. */
  readonly silent: readonly number[];
  /** Null if there is one process, which has no parent. */
  readonly parent: { readonly pid: number; readonly problems: readonly Problem[] } | null;
}

const BUSY_MS = 200;

export async function readProcessState({ log, loops, metrics, queue, ...context }: Context): Promise<ProcessState> {
  const loop = performance.eventLoopUtilization();
  await sleep(BUSY_MS);
  const { leading, problem, lastSteps } = loops.state();
  const steps = Object.entries(lastSteps).map(([name, at]) => [name, at === null ? null : new Date(at).toISOString()]);
  const total = async (name: string) => {
    const values = (await metrics.registry.getSingleMetric(`perpetua_${name}`)?.get())?.values ?? [];
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  const pools = [context.pool, context.recordPool, context.listPool];
  return {
    pid: process.pid,
    uptime_seconds: Math.floor(process.uptime()),
    leads: leading,
    posting_problem: problem,
    last_steps: Object.fromEntries(steps),
    queue_operations: queue.length(),
    accepted_operations: await total('operations_accepted_total'),
    refused_requests: await total('requests_refused_total'),
    connections_waited_for: pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    event_loop_busy: performance.eventLoopUtilization(loop).utilization,
    resident_bytes: process.memoryUsage.rss(),
    problems: recentProblems(log),
  };
}
