import { join } from 'node:path';
import { basesIn, namesIn, SEGMENT, type Store } from './layout.ts';
import { BackupError, isSealedWith } from './sealed-file.ts';

/**
 * A restore reads a base backup and its changes with one key, so a folder has files of one key only.
 * @throws {BackupError} if the newest readable file is encrypted with another one
 */
export async function requireKeyOf(store: Store, key: Buffer): Promise<void> {
  for (const path of await newestFirst(store)) {
    // A damaged file must not prevent new backups.
    const isSame = await isSealedWith(path, key).catch(() => null);
    if (isSame) return;
    if (isSame === false) {
      throw new BackupError(
        `${path} is encrypted with another backup key. Set BACKUP_KEY_FILE to the file of that key. To use a new key, also set BACKUP_DIR to a new, empty folder (docs/backups.md).`,
      );
    }
  }
}

/** The manifests of the base backups, then the write-ahead log. */
async function newestFirst(store: Store): Promise<string[]> {
  const manifests = (await basesIn(store)).map(({ id }) => join(store.base, id, 'manifest'));
  const segments = (await namesIn(store.wal)).filter((name) => SEGMENT.test(name)).map((name) => join(store.wal, name));
  return [...segments, ...manifests].reverse();
}
