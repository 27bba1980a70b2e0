import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Account, ownAccount, runsAsRoot, systemAccount } from './account.ts';
import { packagedBinaries, sharedBinaries } from './binaries.ts';
import { exists, moveAside, rootsClusterOf, syncDirectory } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { DATABASE } from './ownership.ts';
import { type Cluster, launchPostmaster, type ServerSettings, stopPostmaster } from './postmaster.ts';
import { addressFor, SERVICE_ROLE } from './service-role.ts';

/** A cluster that is being restored beside the place of the embedded database. It becomes that database by a rename. */
export interface RestoredCluster {
  /** Empty, for the cluster's files. */
  readonly directory: string;
  /** Empty, readable by the server, and removed in the end. */
  readonly scratch: string;
  readonly account: Account;
  /** The major version of PostgreSQL that will run it. */
  readonly version: string;
  /**
   * Starts the server and waits until its recovery has ended.
   * @returns the service role's address
   * @throws {EmbeddedPostgresError} with the end of the server's log
   */
  recover(settings: ServerSettings, password: string): Promise<string>;
  stop(): Promise<void>;
  /** Makes it the embedded database of the data directory. The server must be stopped. @returns its folder */
  publish(password: string): Promise<string>;
  /** Stops the server and removes everything that was not published. */
  discard(): Promise<void>;
}

const RESTORING = '.restoring-';
const RECOVERY_LIMIT_MS = 7 * 24 * 3_600_000;

/**
 * Prepares the restore of the embedded database of a data directory, which must have none.
 * @throws {EmbeddedPostgresError} if it has one, or cannot be written
 */
export async function prepareRestoredCluster(
  dataDir: string,
  log: (message: string) => void,
): Promise<RestoredCluster> {
  const data = resolve(dataDir);
  const entry = join(data, 'postgres');
  const passwordFile = join(data, 'postgres-password');
  await mkdir(data, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError(`The data directory ${data} cannot be created (${error.code}).`);
  });
  const place = runsAsRoot() ? rootsClusterOf(data) : entry;
  if (await exists(entry)) throw occupied(entry);
  if (runsAsRoot() && (await exists(place))) {
    if (await exists(passwordFile)) throw occupied(place);
    await moveAside(place, log);
  }
  const account = runsAsRoot() ? await systemAccount() : ownAccount();
  const binaries = runsAsRoot() ? await sharedBinaries() : await packagedBinaries();
  await removeLeftovers(place);
  const folder = `${place}${RESTORING}${process.pid}`;
  const [directory, scratch] = [join(folder, 'cluster'), join(folder, 'scratch')];
  await makeFolder(dirname(place), account);
  for (const path of [folder, directory, scratch]) await makeFolder(path, account);
  const cluster: Cluster = { directory, account, binaries };
  const stop = () => stopPostmaster(directory);
  return {
    ...{ directory, scratch, account, stop },
    version: binaries.version.split('.')[0] ?? '',
    async recover(settings, password) {
      const { port, socketDirectory } = await launchPostmaster(cluster, log, undefined, settings, RECOVERY_LIMIT_MS);
      const url = new URL(`postgres://127.0.0.1:${port}/${DATABASE}`);
      if (socketDirectory) url.searchParams.set('host', socketDirectory);
      return addressFor(SERVICE_ROLE, url, password).href;
    },
    async publish(password) {
      if (await exists(entry)) throw occupied(entry);
      await writePassword(passwordFile, password);
      await rename(directory, place).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOTEMPTY' || error.code === 'EEXIST' ? occupied(place) : error;
      });
      await syncDirectory(dirname(place));
      if (place !== entry) {
        await symlink(place, entry);
        await syncDirectory(data);
      }
      return place;
    },
    async discard() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const occupied = (path: string) =>
  new EmbeddedPostgresError(
    `${path} exists: a restore needs a data directory without a database. Move it away, or set DATA_DIR to another folder.`,
  );

async function makeFolder(path: string, { uid, gid }: Account): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (runsAsRoot()) await chown(path, uid, gid);
}

/** Removes what killed restores left. */
async function removeLeftovers(place: string): Promise<void> {
  const prefix = `${basename(place)}${RESTORING}`;
  for (const name of await readdir(dirname(place)).catch(() => [])) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    await stopPostmaster(join(dirname(place), name, 'cluster'));
    await rm(join(dirname(place), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function writePassword(path: string, password: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  await handle.writeFile(password);
  await handle.sync();
  await handle.close();
  await rename(draft, path);
  await syncDirectory(dirname(path));
}
