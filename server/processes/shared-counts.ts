import { createConnectionCounts, createStreamCounts } from '../http/limits/connection-counts.ts';
import { createMemoryStore } from '../http/limits/memory-store.ts';
import type { ChargeReply, ChargeRequest, ConnectionCounts } from '../platform/process/parent-process.ts';

/** Counters in the parent, which its serving processes share: charges of the rate limits, open connections and streams. */
export interface SharedCounts {
  charge(charge: ChargeRequest): ChargeReply;
  /** The connections of one process. `ended` forgets them. */
  connectionsOfProcess(): CountsOfProcess;
  streamsOfProcess(): CountsOfProcess;
  close(): Promise<void>;
}

type CountsOfProcess = ConnectionCounts & { ended(): void };
type Limits = Parameters<typeof createConnectionCounts>[0] & Parameters<typeof createStreamCounts>[0];

export function createSharedCounts(limits: Limits): SharedCounts {
  const store = createMemoryStore();
  const connections = createConnectionCounts(limits);
  const streams = createStreamCounts(limits);
  return {
    charge([subject, limit]) {
      const { reset, ...charged } = store.charge(subject, limit);
      return { ...charged, waitMs: reset - store.now() };
    },
    connectionsOfProcess: () => ofProcess(connections),
    streamsOfProcess: () => ofProcess(streams),
    close: store.close,
  };
}

function ofProcess(all: ReturnType<typeof createConnectionCounts>): CountsOfProcess {
  const open = new Map<string | null, number>();
  const add = (client: string | null, change: number) => open.set(client, (open.get(client) ?? 0) + change);
  function closed(client: string | null): void {
    if (!open.get(client)) return;
    all.closed(client);
    add(client, -1);
    if (open.get(client) === 0) open.delete(client);
  }
  return {
    opened(client) {
      const verdict = all.opened(client);
      if (verdict === 'counted') add(client, 1);
      return verdict;
    },
    closed,
    ended() {
      for (const [client, count] of open) for (let left = count; left > 0; left--) closed(client);
    },
  };
}
