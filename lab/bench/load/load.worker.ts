import { closedLoop, type LoadResult, openLoop } from './bench-load.ts';
import { prepareRequests, type Workload } from './workloads.ts';

/** A job for the load generator, which runs in its own process. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  /** Requests per second of an open loop; null for a closed loop. */
  readonly perSecond: number | null;
  readonly maxSeconds: number;
  readonly workload: Workload;
}

export type LoadReply = { readonly result: LoadResult } | { readonly problem: string };

async function work({ workload, perSecond, ...job }: LoadJob): Promise<LoadReply> {
  try {
    const load = { ...job, ...prepareRequests(workload) };
    return { result: await (perSecond === null ? closedLoop(load) : openLoop({ ...load, perSecond })) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

process.on('message', async (job: LoadJob) => process.send?.(await work(job)));
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
