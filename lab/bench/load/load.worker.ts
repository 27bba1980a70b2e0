import { closedLoop, type LoadResult } from './bench-load.ts';
import { prepareRequests, type Workload } from './workloads.ts';

/** A job for the load generator, which runs in its own process. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly workload: Workload;
}

export type LoadReply = { readonly result: LoadResult } | { readonly problem: string };

async function work({ workload, port, connections }: LoadJob): Promise<LoadReply> {
  try {
    return { result: await closedLoop(prepareRequests(workload), port, connections) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

process.on('message', async (job: LoadJob) => process.send?.(await work(job)));
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
