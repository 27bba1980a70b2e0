import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chown, link, lstat, mkdir, open, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ownAccount, runsAsRoot, SYSTEM_HOME, systemAccount } from './account.ts';
import { type Binaries, CLEAN_ENVIRONMENT, packagedBinaries, sharedBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { type Cluster, stopPostmaster } from './postmaster.ts';

const run = promisify(execFile);

export const SUPERUSER = 'perpetua';

/**
 * Finds or creates the cluster of a data directory. `<dataDir>/postgres` is the cluster or, if root created it, a link to
 * a folder in /var/lib/perpetua, so that the cluster moves and disappears with the data directory.
 * @throws {EmbeddedPostgresError} if the directory or its database cannot be used
 */
export async function prepareCluster(
  dataDir: string,
  log: (message: string) => void,
): Promise<{ cluster: Cluster; password: string }> {
  const data = resolve(dataDir);
  await mkdir(data, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError(`The data directory ${data} cannot be created (${error.code}).`);
  });
  const entry = join(data, 'postgres');
  const passwordFile = join(data, 'postgres-password');
  const binaries = runsAsRoot() ? await sharedBinaries() : await packagedBinaries();
  if (!(await exists(entry))) {
    if (!runsAsRoot()) {
      await createCluster(
        { directory: entry, account: ownAccount(), binaries },
        await createPassword(passwordFile),
        log,
      );
    } else {
      const directory = rootsClusterOf(data);
      if (!(await exists(passwordFile))) await moveAside(directory, log);
      const password = await createPassword(passwordFile);
      if (!(await exists(directory))) {
        await createCluster({ directory, account: await systemAccount(), binaries }, password, log);
      }
      await symlink(directory, entry).catch(unless('EEXIST'));
    }
  }
  return { cluster: await existingCluster(entry, binaries), password: await readPassword(passwordFile) };
}

/** Where the cluster of a data directory is if root creates it. */
export const rootsClusterOf = (dataDir: string): string =>
  join(SYSTEM_HOME, createHash('sha256').update(dataDir).digest('hex').slice(0, 16), 'postgres');

async function existingCluster(entry: string, binaries: Binaries): Promise<Cluster> {
  const directory = await realpath(entry).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT')
      throw new EmbeddedPostgresError(
        `The database that ${entry} points to cannot be reached (${error.code}); run Perpetua as the user who created it.`,
      );
    throw new EmbeddedPostgresError(
      `The database that ${entry} points to is missing; restore it, or start with an empty data directory.`,
    );
  });
  const { uid, gid } = await stat(directory);
  if (uid === 0 || (!runsAsRoot() && uid !== ownAccount().uid)) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} belongs to another user (uid ${uid}); run Perpetua as that user.`,
    );
  }
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError(`${directory} is not a PostgreSQL data directory (PG_VERSION: ${error.code}).`);
  });
  if (binaries.version.split('.')[0] !== version.trim()) {
    throw new EmbeddedPostgresError(
      `The database in ${directory} was created by PostgreSQL ${version.trim()}, but the installed version is ${binaries.version}; use the version of Perpetua that created it, or move the database to a server of PostgreSQL ${version.trim()} (docs/operations.md, Moving to DATABASE_URL).`,
    );
  }
  return { directory, account: { uid, gid }, binaries };
}

/** Keeps the database of a deleted data directory when a new one takes its place, which has other keys. */
export async function moveAside(directory: string, log: (message: string) => void): Promise<void> {
  if (!(await exists(directory))) return;
  await stopPostmaster(directory);
  const backup = `${dirname(directory)}.left-${new Date().toISOString().replaceAll(':', '')}`;
  await rename(dirname(directory), backup);
  log(`The data directory is new. The database of its predecessor was moved to ${backup}.`);
}

/** The superuser's password. @throws {EmbeddedPostgresError} if it cannot be read */
export async function readPassword(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError(`The database password cannot be read from ${file} (${error.code}).`);
  });
  return text.trim();
}

/** Writes a temporary file and links it into place: one of two concurrent starts wins, and a crash leaves no partial file. */
async function createPassword(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(randomBytes(24).toString('hex'));
    await handle.sync();
    await handle.close();
    await link(draft, file).catch(unless('EEXIST'));
    await syncDirectory(dirname(file));
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The database password cannot be written to ${file} (${(error as NodeJS.ErrnoException).code}).`,
    );
  } finally {
    await rm(draft, { force: true });
  }
}

/** Runs initdb in a temporary folder and renames it, so that a crash leaves no incomplete cluster. */
async function createCluster(
  { directory, account, binaries }: Cluster,
  password: string,
  log: (message: string) => void,
): Promise<void> {
  const home = dirname(directory);
  const draft = join(home, `${basename(directory)}.new-${randomBytes(6).toString('hex')}`);
  const passwordDraft = `${draft}.password`;
  log(`Creating a PostgreSQL database in ${directory}.`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    if (runsAsRoot()) await chown(home, account.uid, account.gid);
    const handle = await open(passwordDraft, 'wx', 0o600);
    await handle.writeFile(password);
    await handle.close();
    if (runsAsRoot()) await chown(passwordDraft, account.uid, account.gid);
    await run(join(binaries.directory, 'bin', 'initdb'), [...INITDB_OPTIONS, `--pwfile=${passwordDraft}`, draft], {
      cwd: home,
      env: CLEAN_ENVIRONMENT,
      ...(runsAsRoot() ? account : {}),
    });
    await rename(draft, directory).catch(unless('ENOTEMPTY', 'EEXIST'));
    await syncDirectory(home);
  } catch (error) {
    const { code, stderr, message, path } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT' && path?.endsWith('initdb')) {
      throw new EmbeddedPostgresError(
        'The packaged PostgreSQL does not run on this system (on Linux it needs glibc); set DATABASE_URL to your own PostgreSQL.',
      );
    }
    throw new EmbeddedPostgresError(
      `Creating a PostgreSQL database in ${directory} failed (${stderr?.trim() || code || message}).`,
    );
  } finally {
    await rm(passwordDraft, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
];

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

export const exists = (path: string) =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw new EmbeddedPostgresError(`${path} cannot be read (${error.code}).`);
    },
  );

const unless =
  (...expected: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!expected.includes(error.code ?? '')) throw error;
  };
