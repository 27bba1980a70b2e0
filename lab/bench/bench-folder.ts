import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stopPostmaster } from '../../server/platform/db/postgres/postmaster.ts';
import { isAlive } from '../process-table.ts';

/** On the disk of the checkout: a temporary folder may be in memory, where an fsync costs nothing. */
const PARENT = resolve('.build', 'bench');

/** Creates the folder of this bench, which holds the servers' data. Removes what killed benches left, where possible. */
export async function createBenchFolder(): Promise<string> {
  await mkdir(PARENT, { recursive: true });
  for (const name of await readdir(PARENT)) {
    if (!isAlive(Number(name))) await removeBenchFolder(join(PARENT, name)).catch(() => undefined);
  }
  const folder = join(PARENT, String(process.pid));
  await mkdir(folder);
  return folder;
}

/** Removes the folder and everything in it. A database that still runs there is stopped first. */
export async function removeBenchFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const cluster = await realpath(join(folder, name, 'postgres')).catch(() => undefined);
    if (cluster === undefined) continue;
    await stopPostmaster(cluster);
    // A cluster that root created is below /var/lib, alone in its parent folder.
    await rm(dirname(cluster), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}
