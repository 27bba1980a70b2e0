import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stopPostmaster } from '../server/embedded/postgres/postmaster.ts';

/** On the disk of the checkout, since a temporary folder in memory would make every fsync free. */
const HOME = resolve('.build', 'bench');

/** The folder of this bench; data directories of servers go below it. Removes what killed benches left behind, as far as it may. */
export async function createBenchFolder(): Promise<string> {
  await mkdir(HOME, { recursive: true });
  for (const name of await readdir(HOME)) {
    if (!isAlive(Number(name))) await removeBenchFolder(join(HOME, name)).catch(() => undefined);
  }
  const folder = join(HOME, String(process.pid));
  await mkdir(folder);
  return folder;
}

/** Removes the folder and everything in it; a database that still runs there is stopped first. */
export async function removeBenchFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const cluster = await realpath(join(folder, name, 'postgres')).catch(() => undefined);
    if (cluster === undefined) continue;
    await stopPostmaster(cluster);
    // Below /var/lib where root made it, in a folder of its own there.
    await rm(dirname(cluster), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
