import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './sealed-file.ts';

/**
 * What a backup folder holds of one database, which is named by its PostgreSQL system identifier:
 * `base/<time>-<first WAL segment>/{manifest,data}` and `wal/<segment>`.
 */
export interface Store {
  readonly database: string;
  readonly base: string;
  readonly wal: string;
}

/** A complete base backup. Its name has the time of its start and the segment that recovery begins with. */
export interface BaseName {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly startSegment: string;
}

const DATABASE = /^\d{10,20}$/;
const BASE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([0-9A-F]{24})$/;
export const SEGMENT = /^[0-9A-F]{24}$/;
export const HISTORY = /^[0-9A-F]{8}\.history$/;
/** The folder of a base backup that is not complete. */
export const PARTIAL = '.partial-';

export const storeOf = (directory: string, database: string): Store => ({
  database,
  base: join(directory, database, 'base'),
  wal: join(directory, database, 'wal'),
});

/** @throws {BackupError} if the folder cannot be written */
export async function createStore(directory: string, database: string): Promise<Store> {
  const store = storeOf(directory, database);
  try {
    // Not created: a folder that is missing is most often a file system that is not mounted.
    await stat(directory);
    for (const path of [store.base, store.wal]) await mkdir(path, { recursive: true, mode: 0o700 });
    await syncDirectory(directory);
    await syncDirectory(join(directory, database));
  } catch (error) {
    throw asBackupError(error, directory);
  }
  return store;
}

/** The databases that a backup folder holds. @throws {BackupError} if it cannot be read */
export async function databasesIn(directory: string): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => DATABASE.test(name)).sort();
}

/** The same, at least one. @throws {BackupError} if it holds none, as a mount point without its disk */
export async function existingDatabasesIn(directory: string): Promise<string[]> {
  const found = await databasesIn(directory);
  if (found.length > 0) return found;
  throw new BackupError(`${directory} holds no backup of a database: check that its disk is mounted.`);
}

/** The complete base backups, oldest first. */
export async function basesIn({ base }: Store): Promise<BaseName[]> {
  return (await namesIn(base)).flatMap((name) => baseNamed(name) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function baseNamed(id: string): BaseName | null {
  const found = BASE.exec(id);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, ms, startSegment = ''] = found;
  const startedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { id, startedAt, startSegment };
}

export const baseId = (startedAt: Date, startSegment: string): string =>
  `${startedAt.toISOString().replaceAll(/[-:.]/g, '')}-${startSegment}`;

/** Whatever the folder holds, in order of names. */
export async function namesIn(path: string): Promise<string[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup folder ${path} cannot be read (${error.code}).`);
  });
  return names.sort();
}

/** The names that sealed files are bound to. */
export const boundNames = {
  manifest: ({ database }: Store, id: string): string => `${database}/base/${id}/manifest`,
  data: ({ database }: Store, id: string): string => `${database}/base/${id}/data`,
  wal: ({ database }: Store, segment: string): string => `${database}/wal/${segment}`,
};

/** Makes links and renames survive a power loss. Windows has no equivalent. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** An error of the file system as a sentence; others unchanged. */
export function asBackupError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof BackupError || !/^E[A-Z]+$/.test(code ?? '')) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError(`There is no space left in ${path}.`);
  if (code === 'ENOENT') return new BackupError(`${path} does not exist: create it, or mount it.`);
  return new BackupError(`${path} cannot be written (${code}).`);
}
