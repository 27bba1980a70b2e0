import { createConnectionCounts } from '../http/limits/connection-counts.ts';
import { createMemoryStore } from '../http/limits/memory-store.ts';
import type { ChargeReply, ChargeRequest, ConnectionCounts } from '../parent-process.ts';

/** Counters in the parent, which its serving processes share: charges of the rate limits, and open connections. */
export interface SharedCounts {
  charge(charge: ChargeRequest): ChargeReply;
  /** The connections of one process. `ended` forgets them. */
  connectionsOfProcess(): ConnectionCounts & { ended(): void };
  close(): Promise<void>;
}

export function createSharedCounts(limits: Parameters<typeof createConnectionCounts>[0]): SharedCounts {
  const store = createMemoryStore();
  const connections = createConnectionCounts(limits);
  return {
    charge([subject, limit]) {
      const { allowed, remaining, reset } = store.charge(subject, limit);
      return { allowed, remaining, waitMs: reset - store.now() };
    },
    connectionsOfProcess() {
      const open = new Map<string | null, number>();
      const add = (client: string | null, change: number) => open.set(client, (open.get(client) ?? 0) + change);
      function closed(client: string | null): void {
        if (!open.get(client)) return;
        connections.closed(client);
        add(client, -1);
        if (open.get(client) === 0) open.delete(client);
      }
      return {
        opened(client) {
          const verdict = connections.opened(client);
          if (verdict === 'counted') add(client, 1);
          return verdict;
        },
        closed,
        ended() {
          for (const [client, count] of open) for (let left = count; left > 0; left--) closed(client);
        },
      };
    },
    close: store.close,
  };
}
