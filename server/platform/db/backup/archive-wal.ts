import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archivingOf } from '../postgres/archive-command.ts';
import {
  asBackupError,
  boundNames,
  createStore,
  HISTORY,
  namesIn,
  PARTIAL,
  type Store,
  syncDirectory,
} from './layout.ts';
import { BackupError, openSealed, sealFile } from './sealed-file.ts';
import { requireKeyOf } from './store-key.ts';

export interface ArchiveState {
  /** Finished segments that are not in the backup folder. The database keeps them, each of 16 MiB. */
  readonly waiting: number;
  /** When the oldest of them was finished, in ms since 1970; null if none waits. */
  readonly oldestAt: number | null;
  /** Why the last attempt failed; null if it did not. */
  readonly problem: string | null;
}

export interface Archiver {
  state(): ArchiveState;
  /** Archives what is finished by now, and ends. Call it after the database has stopped, which finishes a segment. */
  stop(): Promise<void>;
}

export interface ArchiverParts {
  /** The cluster's folder on disk. */
  readonly cluster: string;
  /** Its PostgreSQL system identifier. */
  readonly database: string;
  /** The backup folder. */
  readonly directory: string;
  readonly key: Buffer;
  /** Receives each new problem, and null when it is over. */
  readonly onProblem: (problem: string | null) => void;
}

const PAUSE_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 2_000;
const READY = /^(.+)\.ready$/;

/**
 * Copies finished segments of the write-ahead log into the backup folder, encrypted, and tells the database so by markers
 * (see archiving.ts). Whatever is killed, a segment stays in the database until its copy is synced.
 */
export async function startArchiver(parts: ArchiverParts): Promise<Archiver> {
  const { markers, active, status } = archivingOf(parts.cluster);
  await mkdir(markers, { recursive: true, mode: 0o755 });
  await writeFile(active, '');
  const stopping = new AbortController();
  let state: ArchiveState = { waiting: 0, oldestAt: null, problem: null };
  let store: Store | null = null;

  const pass = async (): Promise<void> => {
    const ready = await readySegments(status);
    state = { ...state, waiting: ready.length, oldestAt: ready[0]?.at ?? null };
    if (!store) {
      store = await openStore(parts);
      await archiveHistories(parts, store);
    }
    for (const { name, at } of ready) {
      if (!(await isMarked(join(markers, name)))) {
        await archive(parts, store, name, at);
        await writeFile(join(markers, name), '');
      }
    }
    await removeMarkers(markers, new Set((await readySegments(status)).map(({ name }) => name)));
    state = { ...state, waiting: 0, oldestAt: null };
  };
  const tryPass = async (): Promise<boolean> => {
    const before = state.problem;
    try {
      await pass();
      state = { ...state, problem: null };
    } catch (error) {
      store = null;
      state = { ...state, problem: (asBackupError(error, parts.directory) as Error).message };
    }
    if (state.problem !== before) parts.onProblem(state.problem);
    return state.problem === null;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const worked = await tryPass();
      const { signal } = stopping;
      await sleep(worked ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    state: () => state,
    async stop() {
      stopping.abort();
      await running;
      await tryPass();
      await rm(active, { force: true });
    },
  };
}

/** Removes what a killed process left. @throws {BackupError} if the backups in the folder are of another key */
async function openStore({ directory, database, key }: ArchiverParts): Promise<Store> {
  const store = await createStore(directory, database);
  for (const name of await namesIn(store.wal)) if (name.startsWith(PARTIAL)) await rm(join(store.wal, name));
  await requireKeyOf(store, key);
  return store;
}

/** The database does not report the history of a timeline that began while it did not archive, as after a restore. */
async function archiveHistories(parts: ArchiverParts, store: Store): Promise<void> {
  const { wal } = archivingOf(parts.cluster);
  for (const name of await readdir(wal)) {
    if (HISTORY.test(name)) await archive(parts, store, name, (await stat(join(wal, name))).mtimeMs);
  }
}

/** Oldest first. Histories of timelines come before segments, because their names are shorter. */
async function readySegments(status: string): Promise<{ name: string; at: number }[]> {
  const names = await readdir(status).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const ready = names.flatMap((name) => READY.exec(name)?.[1] ?? []).sort();
  const found = await Promise.all(
    ready.map(async (name) => {
      const file = await stat(join(status, `${name}.ready`)).catch(() => null);
      return file ? [{ name, at: file.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

const isMarked = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function archive({ cluster, key }: ArchiverParts, store: Store, name: string, at: number): Promise<void> {
  const source = join(archivingOf(cluster).wal, name);
  const target = join(store.wal, name);
  const bound = boundNames.wal(store, name);
  if (await isMarked(target)) return compare(source, target, key, bound);
  const draft = join(store.wal, `${PARTIAL}${process.pid}-${name}`);
  await sealFile(draft, { key, name: bound, at }, createReadStream(source));
  try {
    await link(draft, target);
    await rm(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      await rm(draft);
      return compare(source, target, key, bound);
    }
    // A file system without hard links. This process is the only one that archives this database.
    await rename(draft, target);
  }
  await syncDirectory(store.wal);
}

/** A file of this name exists: a killed process left it, or another database writes here. @throws {BackupError} */
async function compare(source: string, target: string, key: Buffer, bound: string): Promise<void> {
  const [own, stored] = [createHash('sha256'), createHash('sha256')];
  for await (const piece of createReadStream(source)) own.update(piece as Buffer);
  for await (const piece of openSealed(target, key, bound)) stored.update(piece);
  if (own.digest('hex') === stored.digest('hex')) return;
  throw new BackupError(
    `${target} holds other changes than this database: another copy of it archives into the same folder. Stop one of them, or set BACKUP_DIR to another folder.`,
  );
}

async function removeMarkers(markers: string, ready: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(markers)) {
    if (name !== 'active' && !ready.has(name)) await rm(join(markers, name), { force: true });
  }
}
