import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { basesIn, HISTORY, namesIn, PARTIAL, type Store, syncDirectory } from './layout.ts';
import { numberOf } from './wal-name.ts';

const SEGMENT_PREFIX = /^[0-9A-F]{24}/;

/**
 * Deletes base backups that began longer ago than `keepMs`, except the newest, and the write-ahead log before the oldest one
 * kept. A deleted row is therefore in no backup after `keepMs`, if a newer backup exists.
 * @param now milliseconds since 1970
 * @returns the numbers of deleted base backups and of files of write-ahead log
 */
export async function rotate(
  store: Store,
  { now, keepMs }: { readonly now: number; readonly keepMs: number },
): Promise<{ bases: number; segments: number }> {
  const bases = await basesIn(store);
  const expired = bases.slice(0, -1).filter(({ startedAt }) => startedAt < now - keepMs);
  for (const { id } of expired) await rm(join(store.base, id), { recursive: true, force: true });
  const oldest = bases.find((base) => !expired.includes(base));
  const first = oldest ? numberOf(oldest.startSegment) : 0;
  const obsolete = (await namesIn(store.wal)).filter(
    (name) =>
      !HISTORY.test(name) &&
      !name.startsWith(PARTIAL) &&
      SEGMENT_PREFIX.test(name) &&
      numberOf(name.slice(0, 24)) < first,
  );
  for (const name of obsolete) await rm(join(store.wal, name), { force: true });
  if (expired.length > 0) await syncDirectory(store.base);
  if (obsolete.length > 0) await syncDirectory(store.wal);
  return { bases: expired.length, segments: obsolete.length };
}
