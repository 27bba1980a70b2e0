import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#digests';
import { writeSynced } from './write-synced.ts';

/** Two checkpoints of a log with one size and different roots, both signed by the log: proof of a fork. */
export interface Fork {
  readonly origin: string;
  /** The verifier keys of the log. */
  readonly keys: readonly string[];
  /** As signed notes: the one that the witness cosigned, then the other one. */
  readonly checkpoints: readonly [string, string];
}

/**
 * Writes a fork to a file, unless there is one of this log: the first one is proof enough.
 * @returns the path of the file once it is on the disk; null if there was one
 */
export async function recordFork(directory: string, fork: Fork): Promise<string | null> {
  const name = `fork-${sha256(fork.origin)}.json`;
  const path = join(directory, name);
  if (existsSync(path)) return null;
  const content = { ...fork, found_at: new Date().toISOString() };
  await writeSynced(directory, name, `${JSON.stringify(content, null, 1)}\n`);
  return path;
}
