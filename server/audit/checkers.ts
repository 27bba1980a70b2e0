import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CheckedBundle, Rules } from './checked.ts';

/** Worker threads that check bundles by themselves; what needs their order is for the caller. */
export interface Checkers {
  readonly threads: number;
  /** The answer holds a copy of the bytes. */
  check(bytes: Uint8Array): Promise<CheckedBundle>;
  close(): Promise<void>;
}

interface Crew {
  readonly worker: Worker;
  load: number;
}

/** @param file the built `check.worker.js`; beside the built commands where it is not given. */
export function startCheckers(
  rules: Rules,
  { file = new URL('./check.worker.js', import.meta.url), threads = availableParallelism() } = {},
): Checkers {
  const waiting = new Map<number, { resolve: (checked: CheckedBundle) => void; reject: (error: Error) => void }>();
  let lastJob = 0;
  let broken: Error | null = null;

  const fail = (error: Error) => {
    broken ??= error;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };

  const crew = Array.from({ length: threads }, (): Crew => {
    const member: Crew = { worker: new Worker(file, { workerData: rules }), load: 0 };
    member.worker.on('message', ({ job, checked }: { job: number; checked: CheckedBundle }) => {
      member.load -= 1;
      waiting.get(job)?.resolve(checked);
      waiting.delete(job);
    });
    member.worker.on('error', fail);
    member.worker.on('exit', () => fail(new Error('A thread that checks signatures has ended.')));
    return member;
  });

  return {
    threads,
    check(bytes) {
      if (broken) return Promise.reject(broken);
      const owned = new Uint8Array(bytes);
      const least = crew.reduce((best, member) => (member.load < best.load ? member : best));
      lastJob += 1;
      const job = lastJob;
      least.load += 1;
      return new Promise((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        least.worker.postMessage({ job, bytes: owned }, [owned.buffer]);
      });
    },
    async close() {
      broken ??= new Error('The check was stopped.');
      await Promise.all(crew.map(({ worker }) => worker.terminate()));
    },
  };
}
