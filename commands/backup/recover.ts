import { createHash } from 'node:crypto';
import { chown, mkdir, open, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asBackupError, boundNames, type Store } from '../../server/platform/db/backup/layout.ts';
import type { Manifest, ManifestFile } from '../../server/platform/db/backup/manifest.ts';
import { BackupError, openSealed } from '../../server/platform/db/backup/sealed-file.ts';
import { EmbeddedPostgresError } from '../../server/platform/db/postgres/error.ts';
import type { RestoredCluster } from '../../server/platform/db/postgres/restored-cluster.ts';
import type { Plan } from './plan.ts';

/** Receives the bytes written so far, and all of them. */
type OnProgress = (done: number, all: number) => void;

/**
 * Writes a base backup into an empty cluster, replays the write-ahead log, and leaves the server running.
 * @param to milliseconds since 1970; null for everything in the plan
 * @returns the service role's address
 * @throws {BackupError | EmbeddedPostgresError}
 */
export async function recover(
  store: Store,
  key: Buffer,
  plan: Plan,
  cluster: RestoredCluster,
  { to, onProgress }: { readonly to: number | null; readonly onProgress: OnProgress },
): Promise<string> {
  const { manifest } = plan;
  if (manifest.postgres !== cluster.version) {
    throw new BackupError(
      `The backup is of PostgreSQL ${manifest.postgres}, but the installed version is ${cluster.version}: restore it with the version of Perpetua that made it.`,
    );
  }
  await checkSpace(cluster.directory, manifest);
  try {
    await extract(store, key, manifest, cluster, onProgress);
    for (const name of [...plan.histories, ...plan.segments]) await stage(store, key, name, cluster);
    const signal = join(cluster.directory, 'recovery.signal');
    await writeFile(signal, '', { mode: 0o600 });
    await own(cluster, signal);
  } catch (error) {
    throw asBackupError(error, cluster.directory);
  }
  const { password } = manifest;
  const settings = {
    hot_standby: 'off',
    restore_command: `[ -f ${staged(cluster)} ] && cp ${staged(cluster)} "%p"`,
    recovery_target_timeline: String(plan.timeline),
    recovery_target_action: 'promote',
  };
  const target =
    to === null ? {} : { recovery_target_time: new Date(to).toISOString().replace('T', ' ').replace('Z', '+00') };
  return cluster
    .recover({ ...settings, ...target }, password)
    .catch((error: unknown) => {
      // No change came after the target, which is not after the end of the archive: the end is the state at that time.
      if (to === null || !ENDED_BEFORE.test(String(error))) throw error;
      return cluster.recover(settings, password);
    })
    .catch((error: unknown) => {
      throw explained(error);
    });
}

const ENDED_BEFORE = /recovery ended before configured recovery target was reached/;

const staged = ({ scratch }: RestoredCluster): string =>
  `'${join(scratch, '%f')
    .replaceAll(/%(?!f$)/g, '%%')
    .replaceAll("'", "'\\''")}'`;

function explained(error: unknown): unknown {
  if (!(error instanceof EmbeddedPostgresError)) return error;
  if (/No space left on device/.test(error.message)) return new BackupError('There is no space left for the database.');
  if (/could not locate|could not find|invalid checkpoint|WAL ends before/.test(error.message)) {
    return new BackupError(`The write-ahead log of the backup is incomplete: ${error.message}`);
  }
  return error;
}

async function checkSpace(directory: string, { files }: Manifest): Promise<void> {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize > needed) return;
  throw new BackupError(
    `There is no space for the database in ${directory}: it needs ${megabytes(needed)} MB and the write-ahead log, and ${megabytes(bavail * bsize)} MB are free.`,
  );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/** Reads a whole base backup and compares every file with the manifest. @throws {BackupError} */
export async function checkBase(store: Store, key: Buffer, manifest: Manifest, onProgress: OnProgress): Promise<void> {
  await readData(store, key, manifest, onProgress, async () => ({
    write: async () => undefined,
    end: async () => undefined,
  }));
}

async function extract(
  store: Store,
  key: Buffer,
  manifest: Manifest,
  cluster: RestoredCluster,
  onProgress: OnProgress,
): Promise<void> {
  for (const path of manifest.directories) {
    await mkdir(join(cluster.directory, path), { mode: 0o700 });
    await own(cluster, join(cluster.directory, path));
  }
  await readData(store, key, manifest, onProgress, async ({ path }) => {
    const target = join(cluster.directory, path);
    const handle = await open(target, 'wx', 0o600);
    return {
      write: async (piece) => void (await handle.writeFile(piece)),
      async end() {
        await handle.close();
        await own(cluster, target);
      },
    };
  });
}

interface Sink {
  write(piece: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Splits the data file into its files, in the order of the manifest. */
async function readData(
  store: Store,
  key: Buffer,
  manifest: Manifest,
  onProgress: OnProgress,
  openSink: (file: ManifestFile) => Promise<Sink>,
): Promise<void> {
  const path = join(store.base, manifest.id, 'data');
  const all = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const pieces = openSealed(path, key, boundNames.data(store, manifest.id));
  let rest: Buffer = Buffer.alloc(0);
  let done = 0;
  for (const file of manifest.files) {
    const sink = await openSink(file);
    const hash = createHash('sha256');
    for (let missing = file.bytes; missing > 0; ) {
      if (rest.length === 0) {
        const { value, done: ended } = await pieces.next();
        if (ended) throw new BackupError(`${path} ends before ${file.path}.`);
        rest = value;
      }
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      missing -= piece.length;
      hash.update(piece);
      await sink.write(piece);
      done += piece.length;
      onProgress(done, all);
    }
    await sink.end();
    if (hash.digest('hex') !== file.sha256) throw new BackupError(`${file.path} in ${path} differs from its digest.`);
  }
  // Reading on authenticates the end of the stream.
  if (rest.length > 0 || !(await pieces.next()).done) throw new BackupError(`${path} has more than its manifest.`);
}

const BLOCK = 64 * 1024;

/** Decrypts a file of the archive for `restore_command`. Zeros are left out, which most of a short segment is. */
async function stage(store: Store, key: Buffer, name: string, cluster: RestoredCluster): Promise<void> {
  const target = join(cluster.scratch, name);
  const handle = await open(target, 'wx', 0o600);
  try {
    let at = 0;
    for await (const piece of openSealed(join(store.wal, name), key, boundNames.wal(store, name))) {
      for (let from = 0; from < piece.length; from += BLOCK) {
        const block = piece.subarray(from, from + BLOCK);
        if (!ZEROS.subarray(0, block.length).equals(block)) await handle.write(block, 0, block.length, at + from);
      }
      at += piece.length;
    }
    await handle.truncate(at);
  } finally {
    await handle.close();
  }
  await own(cluster, target);
}

const ZEROS = Buffer.alloc(BLOCK);

async function own({ account }: RestoredCluster, path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, account.uid, account.gid);
}
