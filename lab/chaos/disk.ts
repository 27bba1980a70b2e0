import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system of its own, which can be filled without harm to the machine. */
export interface SmallDisk {
  readonly directory: string;
  /** Writes until nothing fits. */
  fill(): void;
  empty(): void;
  remove(): void;
}

const BLOCK = Buffer.alloc(1024 * 1024);

/** Mounts a tmpfs, or returns null: that takes Linux and root. */
export function mountSmallDisk(directory: string, sizeMb: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'tmpfs', directory]);
  if (mounted.status !== 0) return null;
  const filler = join(directory, 'filler');
  return {
    directory,
    fill() {
      const file = openSync(filler, 'a');
      for (const block of [BLOCK, BLOCK.subarray(0, 4096)]) while (writes(file, block));
      closeSync(file);
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', directory]);
    },
  };
}

function writes(file: number, block: Uint8Array): boolean {
  try {
    return writeSync(file, block) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
