import { bundleSize } from '../../server/ledger/ans104.ts';
import { MAX_BUNDLE_BYTES, MAX_ITEMS } from '../../server/ledger/relay.ts';
import { CHUNK_BYTES } from '../../server/network/arweave-transaction.ts';

/** An entry: when it was accepted, in ms since 1970, and the bytes of its item. */
export interface Arrival {
  readonly at: number;
  readonly bytes: number;
}

/** The bundles that the relay would have posted. */
export interface Simulated {
  readonly maxAgeMs: number;
  readonly operations: number;
  readonly bundles: number;
  /** Bundles by the number of chunks that the network charges for. */
  readonly byChunks: ReadonlyMap<number, number>;
  /** From the acceptance of an operation to the post of its bundle. */
  readonly delayMs: { readonly total: number; readonly worst: number };
}

export interface Simulation {
  /** Arrivals are in order. */
  add(arrival: Arrival): void;
  end(): Simulated;
}

const EMPTY_BYTES = bundleSize([]);

/**
 * Packs arrivals as the relay does (server/ledger/relay.ts) with this BUNDLE_MAX_AGE_MS: a bundle is posted when its oldest
 * entry has waited that long, or when the next one does not fit. The network is always reachable and cheap enough.
 */
export function simulate(maxAgeMs: number): Simulation {
  const byChunks = new Map<number, number>();
  let operations = 0;
  let totalDelay = 0;
  let worstDelay = 0;
  let open = { oldest: 0, count: 0, sumOfTimes: 0, bytes: EMPTY_BYTES };

  function post(at: number): void {
    if (open.count === 0) return;
    const chunks = Math.ceil(open.bytes / CHUNK_BYTES);
    byChunks.set(chunks, (byChunks.get(chunks) ?? 0) + 1);
    totalDelay += open.count * at - open.sumOfTimes;
    worstDelay = Math.max(worstDelay, at - open.oldest);
    open = { oldest: 0, count: 0, sumOfTimes: 0, bytes: EMPTY_BYTES };
  }

  return {
    add({ at, bytes }) {
      const size = bundleSize([bytes]) - EMPTY_BYTES;
      const dueAt = open.oldest + maxAgeMs;
      if (open.count > 0 && at >= dueAt) post(dueAt);
      if (open.bytes + size > MAX_BUNDLE_BYTES) post(at);
      if (open.count === 0) open.oldest = at;
      open.count += 1;
      open.sumOfTimes += at;
      open.bytes += size;
      operations += 1;
      if (open.count === MAX_ITEMS) post(at);
    },
    end() {
      post(open.oldest + maxAgeMs);
      const bundles = [...byChunks.values()].reduce((sum, count) => sum + count, 0);
      return { maxAgeMs, operations, bundles, byChunks, delayMs: { total: totalDelay, worst: worstDelay } };
    },
  };
}
