import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  asBackupError,
  baseId,
  boundNames,
  createStore,
  HISTORY,
  namesIn,
  PARTIAL,
  type Store,
  syncDirectory,
} from './layout.ts';
import { type Manifest, type ManifestFile, writeManifest } from './manifest.ts';
import { BackupError, sealFile } from './sealed-file.ts';
import { requireKeyOf } from './store-key.ts';
import { numberOf, segmentName, timelineOf } from './wal-name.ts';

/** The embedded database, with a superuser's address. */
export interface Source {
  /** The cluster's folder on disk. */
  readonly directory: string;
  readonly superuserUrl: string;
  /** The superuser's password. */
  readonly password: string;
}

/** 'PERP', 3: one backup at a time. */
const LOCK = [0x50455250, 3];
const READ_BYTES = 256 * 1024;

/**
 * Takes a base backup of the running database with PostgreSQL's low-level API, with the write-ahead log that makes it
 * consistent. It becomes visible by a rename once it is complete and synced.
 * @param directory an existing folder
 * @param maxRate bytes of the database per second, with a checkpoint that is spread over minutes; null for as fast as possible
 * @throws {BackupError} if another backup runs, the backups in the folder are of another key, or it cannot be written
 */
export async function takeBaseBackup(
  source: Source,
  directory: string,
  key: Buffer,
  { maxRate = null }: { readonly maxRate?: number | null } = {},
): Promise<Manifest> {
  const client = new pg.Client({ connectionString: source.superuserUrl, application_name: 'perpetua backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client);
    const store = await createStore(directory, await databaseOf(client));
    await requireKeyOf(store, key);
    await removePartial(store);
    return await writeBackup(client, source, store, key, maxRate);
  } catch (error) {
    throw asBackupError(error, directory);
  } finally {
    // Ends an open backup, and drops the temporary slot and the lock.
    await client.end().catch(() => undefined);
  }
}

async function lock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', LOCK);
  if (!rows[0]?.held) throw new BackupError('Another backup of this database is running.');
}

/** The PostgreSQL system identifier, by which a backup folder names the database. */
export async function databaseOf(client: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()');
  return rows[0]?.id ?? '';
}

/** What a killed backup left. The lock is held, so none is being written. */
async function removePartial({ base }: Store): Promise<void> {
  for (const name of await namesIn(base)) {
    if (name.startsWith(PARTIAL)) await rm(join(base, name), { recursive: true, force: true });
  }
}

async function writeBackup(
  client: pg.Client,
  source: Source,
  store: Store,
  key: Buffer,
  maxRate: number | null,
): Promise<Manifest> {
  const ledger = await readLedger(client);
  // Keeps the segments since now from being recycled until the connection ends.
  await client.query(`SELECT pg_create_physical_replication_slot('perpetua_backup', true, true)`);
  const { rows: started } = await client.query<{ segment: string; at: Date }>(
    `SELECT pg_walfile_name(pg_backup_start('perpetua', fast => $1)) AS segment, clock_timestamp() AS at`,
    [maxRate === null],
  );
  const [start] = started;
  if (!start) throw new Error('The backup did not start.');
  const id = baseId(start.at, start.segment);
  const folder = join(store.base, `${PARTIAL}${id}`);
  await mkdir(folder, { mode: 0o700 });

  const directories: string[] = [];
  const files: ManifestFile[] = [];
  let stop = { segment: '', at: new Date(0) };
  async function* content(): AsyncGenerator<Buffer> {
    const paths = await listCluster(source.directory, directories);
    // pg_control comes last, as in PostgreSQL's own tool.
    for (const path of [...paths.filter((each) => each !== CONTROL), CONTROL]) yield* copyFile(source, path, files);
    const { rows } = await client.query<{ segment: string; at: Date; label: string }>(
      `SELECT pg_walfile_name(lsn - 1) AS segment, clock_timestamp() AS at, labelfile AS label
       FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const [stopped] = rows;
    if (!stopped) throw new Error('The backup did not end.');
    stop = stopped;
    for (const segment of segmentsBetween(start?.segment ?? '', stop.segment)) {
      const length = files.length;
      yield* copyFile(source, `pg_wal/${segment}`, files);
      if (files.length === length) throw new Error(`The write-ahead log ${segment} is missing.`);
    }
    // A restored database needs the history of its timeline.
    for (const name of await readdir(join(source.directory, 'pg_wal'))) {
      if (HISTORY.test(name)) yield* copyFile(source, `pg_wal/${name}`, files);
    }
    yield* add('backup_label', Buffer.from(stopped.label), files);
  }
  const data = { key, name: boundNames.data(store, id), at: start.at.getTime() };
  await sealFile(join(folder, 'data'), data, maxRate === null ? content() : atRate(content(), maxRate));
  const manifest: Manifest = {
    version: 1,
    id,
    database: store.database,
    postgres: (await readFile(join(source.directory, 'PG_VERSION'), 'utf8')).trim(),
    startedAt: start.at.toISOString(),
    stoppedAt: stop.at.toISOString(),
    startSegment: start.segment,
    stopSegment: stop.segment,
    ledger,
    password: source.password,
    directories,
    files,
  };
  await writeManifest(folder, store, key, manifest);
  await syncDirectory(folder);
  await rename(folder, join(store.base, id));
  await syncDirectory(store.base);
  return manifest;
}

/** The same pieces, at most so many bytes per second. Time that was lost is not made up for. */
async function* atRate(pieces: AsyncIterable<Buffer>, maxRate: number): AsyncGenerator<Buffer> {
  let next = performance.now();
  for await (const piece of pieces) {
    yield piece;
    next = Math.max(next + (piece.length / maxRate) * 1000, performance.now());
    await sleep(next - performance.now());
  }
}

const CONTROL = 'global/pg_control';

async function readLedger(client: pg.Client): Promise<Manifest['ledger']> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('ledger_head') IS NOT NULL AS exists`,
  );
  if (!found[0]?.exists) return null;
  const { rows } = await client.query<{ epoch: number; seq: string }>('SELECT epoch, seq FROM ledger_head');
  return rows[0] ? { epoch: rows[0].epoch, seq: Number(rows[0].seq) } : null;
}

/** Folders whose content belongs to the running server only (PostgreSQL's documentation, "Making a Base Backup"). */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|log)$/;
const LEFT_OUT =
  /(^|\/)pgsql_tmp|(^|\/)pg_internal\.init|^(postmaster\.(pid|opts)|startup\.log|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles(\.tmp)?|\.s\.PGSQL\..*|recovery\.signal|standby\.signal)$/;

/** The files of a cluster, without links. `directories` receives its folders, parents first. */
async function listCluster(root: string, directories: string[], below = ''): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(unlessGone([]));
  for (const entry of entries) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (LEFT_OUT.test(path)) continue;
    if (entry.isDirectory()) {
      directories.push(path);
      if (!EMPTIED.test(path)) files.push(...(await listCluster(root, directories, path)));
    } else if (entry.isFile()) files.push(path);
  }
  return files;
}

/** Reads a file that the server may be changing: replay of the write-ahead log repairs torn pages. */
async function* copyFile({ directory }: Source, path: string, files: ManifestFile[]): AsyncGenerator<Buffer> {
  const file = await open(join(directory, path), 'r').catch(unlessGone(null));
  if (!file) return;
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, null);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      bytes += bytesRead;
      yield piece;
    }
    files.push({ path, bytes, sha256: hash.digest('hex') });
  } finally {
    await file.close();
  }
}

async function* add(path: string, content: Buffer, files: ManifestFile[]): AsyncGenerator<Buffer> {
  yield content;
  files.push({ path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
}

function segmentsBetween(first: string, last: string): string[] {
  const [from, to] = [numberOf(first), numberOf(last)];
  return Array.from({ length: to - from + 1 }, (_, n) => segmentName(timelineOf(first), from + n));
}

const unlessGone =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

/** The bytes that a base backup takes in its folder. */
export async function sizeOf({ base }: Store, id: string): Promise<number> {
  const sizes = await Promise.all(['manifest', 'data'].map((name) => stat(join(base, id, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
