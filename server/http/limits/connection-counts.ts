import type { ConnectionCounts, ConnectionVerdict } from '../../parent-process.ts';

/** Counts of open connections. Refused ones are not counted. */
export function createConnectionCounts(limits: {
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
}): ConnectionCounts & { opened(client: string | null): ConnectionVerdict } {
  const byClient = new Map<string | null, number>();
  let total = 0;
  return {
    opened(client) {
      const open = byClient.get(client) ?? 0;
      if (total >= limits.MAX_CONNECTIONS) return 'total';
      if (client !== null && open >= limits.MAX_CONNECTIONS_PER_ADDRESS) return 'address';
      byClient.set(client, open + 1);
      total += 1;
      return 'counted';
    },
    closed(client) {
      const left = (byClient.get(client) ?? 1) - 1;
      if (left === 0) byClient.delete(client);
      else byClient.set(client, left);
      total -= 1;
    },
  };
}

export interface StreamLimits {
  readonly MAX_STREAMS: number;
  readonly MAX_STREAMS_PER_ADDRESS: number;
}

/** The same for streams of the ledger. */
export const createStreamCounts = ({ MAX_STREAMS, MAX_STREAMS_PER_ADDRESS }: StreamLimits) =>
  createConnectionCounts({ MAX_CONNECTIONS: MAX_STREAMS, MAX_CONNECTIONS_PER_ADDRESS: MAX_STREAMS_PER_ADDRESS });
