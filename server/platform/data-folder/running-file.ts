import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const shape = z.object({
  pid: z.int().positive(),
  gateway_url: z.string(),
  database_url: z.string(),
  /** Tell the process from a later one with its id, which in a container is always the same. */
  boot_id: z.string().nullable().default(null),
  /** Clock ticks after the boot. */
  started: z.string().nullable().default(null),
});

/** Which server runs on a data directory, for the operator's commands. */
export type RunningServer = Pick<z.infer<typeof shape>, 'pid' | 'gateway_url' | 'database_url'>;

const pathIn = (dataDir: string): string => join(dataDir, 'running.json');

/** Writes the file, readable by the operator only: the database URL contains a password. */
export function writeRunningFile(dataDir: string, running: RunningServer): void {
  const path = pathIn(dataDir);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, `${JSON.stringify({ ...running, ...identityOf(running.pid) }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Removes the file that this process wrote; not that of a successor. */
export function removeRunningFile(dataDir: string): void {
  if (readRunningFile(dataDir)?.pid === process.pid) rmSync(pathIn(dataDir), { force: true });
}

/** The running server of this data directory; null if none runs, also if one was killed and left its file. */
export function readRunningFile(dataDir: string): RunningServer | null {
  try {
    const { boot_id, started, ...running } = shape.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')));
    const found = identityOf(running.pid);
    const isSame = agree(boot_id, found.boot_id) && agree(started, found.started);
    return isAlive(running.pid) && isSame ? running : null;
  } catch {
    return null;
  }
}

/** The process for a sentence to the operator, with the file that names it. */
export const runningProcess = (dataDir: string, { pid }: RunningServer): string =>
  `process ${pid}, which ${pathIn(dataDir)} names`;

/** Null where /proc does not show it, as on macOS, or under systemd's ProcSubset=pid for the boot. */
const identityOf = (pid: number) => ({
  boot_id: read('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
  // proc_pid_stat(5): the name of the program is in parentheses and may contain spaces; starttime is field 22.
  started: read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')[22 - 3] ?? null,
});

/** Whether two values can be the same, either of which may be unknown. */
const agree = (one: string | null, other: string | null): boolean => one === null || other === null || one === other;

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
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
