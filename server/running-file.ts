import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const shape = z.object({ pid: z.int().positive(), gateway_url: z.string(), database_url: z.string() });

/** Which server runs on a data directory, for the operator's commands. */
export type RunningServer = z.infer<typeof shape>;

const pathIn = (dataDir: string): string => join(dataDir, 'running.json');

/** Writes the file, readable by the operator only: the database URL contains a password. */
export function writeRunningFile(dataDir: string, running: RunningServer): void {
  const path = pathIn(dataDir);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export const removeRunningFile = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true });

/** The running server of this data directory; null if none runs, also if one was killed and left its file. */
export function readRunningFile(dataDir: string): RunningServer | null {
  try {
    const running = shape.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')));
    return isAlive(running.pid) ? running : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
