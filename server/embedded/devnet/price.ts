import { CHUNK_BYTES } from '../../network/arweave-transaction.ts';

const FIXED_WINSTON = 20_000_000n;
const WINSTON_PER_CHUNK = 550_000_000n;

/** Winston for a transaction: a fixed part and a price per started chunk of 256 KiB, of the network's magnitude. */
export function priceOf(bytes: number): bigint {
  return FIXED_WINSTON + WINSTON_PER_CHUNK * BigInt(Math.ceil(bytes / CHUNK_BYTES));
}
