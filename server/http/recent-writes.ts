import type { RecentWrites } from '../platform/process/parent-process.ts';

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Remembers writes in this process. */
export function createRecentWrites(): RecentWrites & { writtenBy(address: string): number } {
  /** By address, in the order of the last write. */
  const writes = new Map<string, { readonly seq: number; readonly at: number }>();

  function writtenBy(address: string): number {
    const write = writes.get(address);
    if (!write) return 0;
    if (performance.now() - write.at < REMEMBERED_MS) return write.seq;
    writes.delete(address);
    return 0;
  }

  return {
    writtenBy,
    wrote(address, seq) {
      const latest = Math.max(seq, writtenBy(address));
      writes.delete(address);
      writes.set(address, { seq: latest, at: performance.now() });
      const [oldest] = writes.keys();
      if (writes.size > MAX_REMEMBERED && oldest !== undefined) writes.delete(oldest);
    },
  };
}
