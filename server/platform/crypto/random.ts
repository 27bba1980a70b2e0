import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8 * 1024;

let pool = Buffer.alloc(0);
let next = 0;

/** Random bytes from a pool, each used once: a system call for few bytes costs as much as for thousands. */
export function randomSlice(size: number): Buffer {
  if (next + size > pool.length) {
    pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, size)));
    next = 0;
  }
  next += size;
  return pool.subarray(next - size, next);
}
