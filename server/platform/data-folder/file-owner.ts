import { lchownSync, statSync } from 'node:fs';

/**
 * Gives what root created to the owner of a folder, so that a service that runs as that user can use it. Does nothing for other users, on
 * file systems without owners, and if another process has removed a file meanwhile. It follows no link, which that user could have set.
 */
export function giveToOwnerOf(folder: string, ...paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const path of paths) {
    try {
      lchownSync(path, uid, gid);
    } catch (error) {
      if (!['ENOENT', 'EPERM', 'EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}
