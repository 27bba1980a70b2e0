import type { ConnectionCounts, ConnectionVerdict } from '../../platform/process/parent-process.ts';
import { limitNetworks, NETWORK_FACTORS } from '../../settings/client-address.ts';

/** The names under which a client counts: its address, or the networks of an IPv6 address. */
export const countedNames = (client: string | null): readonly (string | null)[] =>
  (client === null ? null : limitNetworks(client)) ?? [client];

/** Counts of open connections. Refused ones are not counted. */
export function createConnectionCounts(limits: {
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
}): ConnectionCounts & { opened(client: string | null): ConnectionVerdict } {
  const open = new Map<string | null, number>();
  let total = 0;
  const add = (name: string | null, change: number) => {
    const left = (open.get(name) ?? 0) + change;
    if (left === 0) open.delete(name);
    else open.set(name, left);
  };
  const isFull = (name: string | null, index: number): boolean =>
    name !== null && (open.get(name) ?? 0) >= limits.MAX_CONNECTIONS_PER_ADDRESS * (NETWORK_FACTORS[index] ?? 1);
  return {
    opened(client) {
      const names = countedNames(client);
      if (names.some(isFull)) return 'address';
      if (total >= limits.MAX_CONNECTIONS) return 'total';
      for (const name of names) add(name, 1);
      total += 1;
      return 'counted';
    },
    closed(client) {
      for (const name of countedNames(client)) add(name, -1);
      total -= 1;
    },
  };
}

export const MAX_STREAMS_PER_ADDRESS = 4;

/** The same for streams of the ledger. */
export const createStreamCounts = ({ MAX_STREAMS }: { readonly MAX_STREAMS: number }) =>
  createConnectionCounts({ MAX_CONNECTIONS: MAX_STREAMS, MAX_CONNECTIONS_PER_ADDRESS: MAX_STREAMS_PER_ADDRESS });
