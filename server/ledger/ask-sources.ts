import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Fence } from './fence.ts';
import type { HeadSource } from './head-evidence.ts';

/** Why a source has not answered since it was asked. */
export interface Unanswered {
  readonly source: string;
  readonly reason: string;
}

export interface SourceQuestions {
  /** Asks every source again, at the start and when a connection to the database was lost. Writes wait for the answers. */
  ask(): void;
  /** Resolves when the sources have answered, or enough time has passed. Without a question it resolves at once. */
  settled(): Promise<void>;
  /** The sources that have not answered since they were asked. */
  unanswered(): readonly Unanswered[];
  stop(): Promise<void>;
}

/** Writes wait for a source until it has failed this often, */
const ATTEMPTS = 2;
const PAUSE_MS = 1_000;
/** but no longer than this. Then they continue, and the source is asked until it has answered. */
const LONGEST_WAIT_MS = 10_000;
const AGAIN_MS = 5_000;
const DATABASE_PAUSE_MS = 200;

/**
 * Asks the sources for later heads than that of the database, and passes the answers to the fence.
 * @param onSilent receives a source that does not answer, once for each question
 */
export function createSourceQuestions(
  { fence, pool, sources }: { fence: Fence; pool: Pick<Pool, 'query'>; sources: readonly HeadSource[] },
  onSilent: (unanswered: Unanswered) => void,
  { longestWaitMs = LONGEST_WAIT_MS, againMs = AGAIN_MS } = {},
): SourceQuestions {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The service stops.')), { once: true });
  });
  stopped.catch(() => undefined);
  const silent = new Map<HeadSource, string>();
  const changing = new Set<HeadSource>();
  let waiting: Promise<void> | null = null;
  let isAskedAgain = false;

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  /** Returns whether it answered. */
  async function askOne(source: HeadSource): Promise<boolean> {
    try {
      const evidence = await Promise.race([source.latest(signal), stopped]);
      fence.learn(source.group ?? source.name, evidence);
      if (evidence && !evidence.isSigned) changing.add(source);
      else changing.delete(source);
      silent.delete(source);
      return true;
    } catch (error) {
      silent.set(source, error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  async function askUntilAnswered(source: HeadSource): Promise<void> {
    for (let attempt = 1; !signal.aborted && !(await askOne(source)) && attempt < ATTEMPTS; attempt += 1) {
      await pause(PAUSE_MS);
    }
  }

  /** A source may need the database. Until it answers, no write gets this far. */
  async function waitForDatabase(): Promise<void> {
    while (!signal.aborted) {
      const isReachable = await fence.check(pool).then(
        () => true,
        () => false,
      );
      if (isReachable) return;
      await pause(DATABASE_PAUSE_MS);
    }
  }

  async function askAll(): Promise<void> {
    do {
      for (const source of sources) silent.set(source, 'It has not answered yet.');
      await waitForDatabase();
      isAskedAgain = false;
      await Promise.race([Promise.all(sources.map(askUntilAnswered)), pause(longestWaitMs)]);
    } while (isAskedAgain && !signal.aborted);
    if (signal.aborted) return;
    for (const [{ name: source }, reason] of silent) onSilent({ source, reason });
    // Each batch compares again; this is for /ready.
    await fence.check(pool).catch(() => undefined);
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      await pause(againMs);
      // What is not signed can change: a pending bundle is mined or dropped.
      const doubtful = fence.problem() === null ? [] : changing;
      if (!waiting) await Promise.all([...new Set([...silent.keys(), ...doubtful])].map(askOne));
    }
  }

  const repeating = repeat();
  return {
    ask() {
      if (sources.length === 0) return;
      if (waiting) {
        isAskedAgain = true;
        return;
      }
      waiting = askAll().finally(() => {
        waiting = null;
      });
    },
    settled: async () => {
      await waiting;
    },
    unanswered: () => [...silent].map(([{ name: source }, reason]) => ({ source, reason })),
    async stop() {
      stopping.abort();
      await Promise.all([repeating, waiting]);
    },
  };
}
