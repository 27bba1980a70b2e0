import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CheckedBundle, Rules } from './checked.ts';

/** Worker threads that check each bundle on its own. The caller checks what depends on their order. */
export interface Checkers {
  /** How many there are at most: they start as they are needed. */
  readonly threads: number;
  /** What the items are checked against. */
  readonly rules: Rules;
  /** The result holds a copy of the bytes. */
  check(bytes: Uint8Array): Promise<CheckedBundle>;
  close(): Promise<void>;
}

/** Much less than the default: a thread keeps little, and the memory of all threads counts. */
const LIMITS = { maxYoungGenerationSizeMb: 6 };
/** Bundles that wait for each thread before another is started: a start takes as long as checking several. */
const FULL_LOAD = 3;

interface Checker {
  readonly worker: Worker;
  load: number;
}

/** @param file the built `check.worker.js`; by default the one next to the built commands. */
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

  const checkers: Checker[] = [];
  const start = (): Checker => {
    const checker: Checker = { worker: new Worker(file, { workerData: rules, resourceLimits: LIMITS }), load: 0 };
    checker.worker.on('message', ({ job, checked }: { job: number; checked: CheckedBundle }) => {
      checker.load -= 1;
      waiting.get(job)?.resolve(checked);
      waiting.delete(job);
    });
    checker.worker.on('error', fail);
    checker.worker.on('exit', () => fail(new Error('A checker thread has ended.')));
    checkers.push(checker);
    return checker;
  };
  const idlest = (): Checker => {
    const [first, ...others] = checkers;
    if (!first) return start();
    const best = others.reduce((least, checker) => (checker.load < least.load ? checker : least), first);
    return best.load >= FULL_LOAD && checkers.length < threads ? start() : best;
  };

  return {
    threads,
    rules,
    check(bytes) {
      if (broken) return Promise.reject(broken);
      const owned = new Uint8Array(bytes);
      const checker = idlest();
      lastJob += 1;
      const job = lastJob;
      checker.load += 1;
      return new Promise((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        checker.worker.postMessage({ job, bytes: owned }, [owned.buffer]);
      });
    },
    async close() {
      broken ??= new Error('The check was stopped.');
      await Promise.all(checkers.map(({ worker }) => worker.terminate()));
    },
  };
}
