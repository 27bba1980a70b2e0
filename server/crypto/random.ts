import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8 * 1024;

let pool = Buffer.alloc(0);
let next = 0;

/** So many fresh random bytes, each given out once; from a pool, because asking the system for a few costs as much as for thousands. */
export function randomSlice(size: number): Buffer {
  if (next + size > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, size)));
    next = 0;
  }
  next += size;
  return pool.subarray(next - size, next);
}
