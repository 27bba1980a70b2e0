import { CHUNK_BYTES } from '../arweave-transaction.ts';

const FIXED_WINSTON = 20_000_000n;
const WINSTON_PER_CHUNK = 550_000_000n;

/** The price in winston: a base price plus a price per started chunk of 256 KiB, similar to the network's. */
export function priceOf(bytes: number): bigint {
  return FIXED_WINSTON + WINSTON_PER_CHUNK * BigInt(Math.ceil(bytes / CHUNK_BYTES));
}
