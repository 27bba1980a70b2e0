import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { entryLine, type SignedHead, signedHead } from './read.ts';

/** Why the service closes a stream. The reader may open another one after the last entry that it has. */
export const CLOSINGS = {
  stopping: 'The service stops or restarts.',
  too_slow: 'The reader did not read for too long.',
  maximum_duration: 'The stream has reached its maximum duration.',
  unavailable: 'The service cannot read its database at the moment, or the database has lost operations.',
} as const;

export type Closing = keyof typeof CLOSINGS;

/** A line of GET /api/ledger/stream. */
export const streamLine = z.union([
  entryLine,
  z.object({ head: signedHead }),
  z.object({ closed: z.enum(Object.keys(CLOSINGS) as [Closing, ...Closing[]]), message: z.string() }),
]);

export const closingLine = (closed: Closing): string => `${JSON.stringify({ closed, message: CLOSINGS[closed] })}\n`;

/** Consecutive entries as JSON Lines, and the seq of the last one. */
export interface EntryPage {
  readonly text: string;
  readonly last: number;
}

export interface StreamParts {
  /** The seq of the latest entry. */
  readonly latestSeq: () => Promise<number>;
  readonly signedHead: () => Promise<SignedHead>;
  /** The entries after a seq; null if there is none. */
  readonly pageAfter: (seq: number) => Promise<EntryPage | null>;
  readonly maxMs: number;
}

export interface EntryStream {
  readonly lines: AsyncIterable<string>;
  /** Ends the lines: the reader has gone. */
  leave(): void;
}

export interface EntryStreams {
  /** The entries after a seq, then new ones. @throws database errors */
  open(after: number): Promise<EntryStream>;
  readonly openCount: number;
  /** Ends each stream with a line that says so, also those opened later. */
  stop(): void;
}

const POLL_MS = 250;
const HEAD_MS = 15_000;

/** All streams of a process share one poll of the head, and those at the same entry share one read. */
export function createEntryStreams(parts: StreamParts): EntryStreams {
  const open = new Set<{ hasLeft: boolean }>();
  const waiting = new Set<() => void>();
  let isPolling = false;
  let latest = 0;
  let isUnavailable = false;
  let isStopped = false;

  const headLine = shared(async () => `${JSON.stringify({ head: await parts.signedHead() })}\n`);
  const pageAfter = shared(parts.pageAfter);

  const polled = (): Promise<void> => new Promise((resolve) => void waiting.add(resolve));

  function wakeAll(): void {
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (open.size > 0) {
      try {
        latest = await parts.latestSeq();
        isUnavailable = false;
      } catch {
        isUnavailable = true;
      }
      wakeAll();
      await sleep(POLL_MS);
    }
    isPolling = false;
  }

  async function* linesAfter(after: number, first: string, reader: { hasLeft: boolean }): AsyncGenerator<string> {
    const ends = performance.now() + parts.maxMs;
    let nextHead = performance.now() + HEAD_MS;
    let last = after;
    yield first;
    while (!reader.hasLeft) {
      const now = performance.now();
      if (isStopped) return yield closingLine('stopping');
      if (isUnavailable) return yield closingLine('unavailable');
      if (now >= ends) return yield closingLine('maximum_duration');
      try {
        const page = latest > last ? await pageAfter(last) : null;
        if (page) {
          last = page.last;
          yield page.text;
        } else if (now >= nextHead) {
          nextHead = now + HEAD_MS;
          yield await headLine(0);
        } else await polled();
      } catch {
        return yield closingLine('unavailable');
      }
    }
  }

  return {
    async open(after) {
      const first = await headLine(0);
      isUnavailable = false;
      const reader = { hasLeft: false };
      open.add(reader);
      void poll();
      return {
        lines: linesAfter(after, first, reader),
        leave() {
          reader.hasLeft = true;
          open.delete(reader);
          wakeAll();
        },
      };
    },
    get openCount() {
      return open.size;
    },
    stop() {
      isStopped = true;
      wakeAll();
    },
  };
}

/** Callers with the same key share a read that has begun. */
function shared<Value>(read: (key: number) => Promise<Value>): (key: number) => Promise<Value> {
  const begun = new Map<number, Promise<Value>>();
  return (key) => {
    const value = begun.get(key) ?? read(key).finally(() => begun.delete(key));
    begun.set(key, value);
    return value;
  };
}
