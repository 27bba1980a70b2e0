import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Claimed, MAX_RESPONSES, type Progress, saveProgress } from './delivery-rows.ts';

/** A sender that is killed sends the events of at most this time again. */
const RECORD_PAUSE_MS = 50;

export interface Recorder {
  /** Records progress soon, without waiting. */
  record(progress: Progress): void;
  /** Waits until everything is recorded. @throws if the database does not respond */
  flush(): Promise<void>;
  /** Records at once and renews the lease. */
  renew(): Promise<void>;
  /** The count of news when the lease was last renewed. */
  news(): number;
  /** When the lease ends, in ms since 1970. */
  leaseUntil(): number;
  /** Whether the webhook was changed, paused or removed, or recording failed. */
  mustStop(): boolean;
}

interface RecorderParts {
  readonly pool: Pool;
  readonly now: () => number;
  readonly leaseMs: number;
}

/** Records the progress of one sender. While a record is being written, further progress is collected for the next. */
export function createRecorder({ pool, now, leaseMs }: RecorderParts, claimed: Claimed, leaseUntil: number): Recorder {
  let latest: Progress = { place: claimed.place, replay: claimed.replay, waitingSince: null, responses: [] };
  let isWaiting = false;
  let writing: Promise<void> | null = null;
  let mustStop = false;
  let { news } = claimed;
  let until = leaseUntil;

  async function save(): Promise<void> {
    const progress = latest;
    isWaiting = false;
    latest = { ...latest, responses: [] };
    const next = now() + leaseMs;
    const current = await saveProgress(pool, claimed, progress, next);
    if (current === null) {
      mustStop = true;
      return;
    }
    news = current;
    until = next;
  }

  async function write(): Promise<void> {
    try {
      while (isWaiting && !mustStop) {
        await save();
        if (isWaiting) await sleep(RECORD_PAUSE_MS);
      }
    } catch (error) {
      mustStop = true;
      throw error;
    } finally {
      writing = null;
    }
  }

  function start(): Promise<void> {
    writing ??= write();
    writing.catch(() => undefined);
    return writing;
  }

  async function flush(): Promise<void> {
    while (isWaiting && !mustStop) await start();
    await writing;
  }

  return {
    record(progress) {
      const responses = [...progress.responses, ...latest.responses].slice(0, MAX_RESPONSES);
      latest = { ...progress, responses };
      isWaiting = true;
      void start().catch(() => undefined);
    },
    flush,
    renew() {
      isWaiting = true;
      return flush();
    },
    news: () => news,
    leaseUntil: () => until,
    mustStop: () => mustStop,
  };
}
