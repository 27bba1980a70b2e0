import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Archiver, startArchiver } from './archive-wal.ts';
import { databaseOf, type Source } from './base-backup.ts';
import { asBackupError, basesIn, HISTORY, namesIn, SEGMENT, type Store, storeOf } from './layout.ts';
import { rotate } from './rotate.ts';
import { BackupError } from './sealed-file.ts';
import { numberOf, timelineOf } from './wal-name.ts';

export interface BackupState {
  /** When the newest base backup began, in ms since 1970; null if there is none. */
  readonly newestAt: number | null;
  /** Finished segments of the write-ahead log that are not archived. */
  readonly waiting: number;
  /** When the oldest of them was finished; null if none waits. */
  readonly oldestAt: number | null;
}

/** Backups of the embedded database on a schedule. */
export interface Backups {
  state(): BackupState;
  /** What an operator must do something about; null if nothing. */
  problem(): string | null;
  /** Ends base backups. */
  stop(): Promise<void>;
  /** Archives the last changes. Call it after the database has stopped. */
  finish(): Promise<void>;
}

export interface ScheduleParts {
  readonly source: Source;
  /** BACKUP_DIR */
  readonly directory: string;
  readonly key: Buffer;
  readonly everyMs: number;
  readonly keepMs: number;
  /** Bytes of the database per second. */
  readonly maxRate: number;
  /** The built backup.js. */
  readonly program: URL;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

const CHECK_MS = 15_000;
const RETRY_MS = 5 * 60_000;
/** A segment that has waited longer is a problem: archiving takes less than a second. */
const LATE_MS = 5 * 60_000;
const SEGMENT_MB = 16;

/** Archives continuously, and takes and rotates base backups, in a process of low priority. */
export async function startBackups(parts: ScheduleParts): Promise<Backups> {
  const { source, directory, key, everyMs, keepMs, log } = parts;
  const database = await systemIdentifier(source);
  const archiver = await startArchiver({
    ...{ cluster: source.directory, database, directory, key },
    onProblem: (problem) =>
      problem === null
        ? log.info({}, 'changes are archived again')
        : log.warn({ reason: problem }, 'changes are not archived in BACKUP_DIR, and wait in the database'),
  });
  const store = storeOf(directory, database);
  const stopping = new AbortController();
  const { signal } = stopping;
  let newestAt: number | null = null;
  let failure: string | null = null;
  let retryAt = 0;

  const check = async (): Promise<void> => {
    const now = Date.now();
    newestAt = (await newest(store))?.startedAt ?? null;
    if (now >= retryAt && (await isDue(store, now - everyMs))) {
      const reason = await runBackup(parts, signal);
      if (signal.aborted) return;
      retryAt = reason === null ? 0 : now + Math.min(RETRY_MS, everyMs);
      if (reason === null) log.info({}, 'backed up');
      else log.warn({ reason }, 'the backup failed and is retried');
      failure = reason;
    }
    await rotate(store, { now, keepMs });
    newestAt = (await newest(store))?.startedAt ?? null;
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      // The archiver creates the folders, and reports if it cannot.
      if (archiver.state().problem === null) {
        await check().catch((error) => {
          failure = (asBackupError(error, directory) as Error).message;
        });
      }
      await sleep(Math.min(CHECK_MS, everyMs / 4), undefined, { signal }).catch(() => undefined);
    }
  };
  const running = sleep(1_000, undefined, { signal }).then(loop, () => undefined);
  return {
    state: () => ({ newestAt, waiting: archiver.state().waiting, oldestAt: archiver.state().oldestAt }),
    problem: () => problemOf(archiver, failure, newestAt, everyMs),
    async stop() {
      stopping.abort();
      await running;
    },
    finish: () => archiver.stop(),
  };
}

function problemOf(archiver: Archiver, failure: string | null, newestAt: number | null, everyMs: number) {
  const { problem, waiting, oldestAt } = archiver.state();
  const now = Date.now();
  if (problem !== null || (oldestAt !== null && now - oldestAt > LATE_MS)) {
    const why = problem ?? 'archiving takes too long.';
    return `Changes are not archived: ${why} The database keeps ${waiting * SEGMENT_MB} MB for it, which grows.`;
  }
  if (failure !== null) return `The last backup failed: ${failure}`;
  if (newestAt === null || now - newestAt <= 2 * everyMs) return null;
  return `The newest backup began at ${new Date(newestAt).toISOString()}.`;
}

async function systemIdentifier({ superuserUrl }: Source): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  return databaseOf(client).finally(() => client.end());
}

const newest = async (store: Store) => (await basesIn(store)).at(-1) ?? null;

/** Whether the newest base is too old, or the archive does not continue it: archiving was off, or the database restored. */
export async function isDue(store: Store, before: number): Promise<boolean> {
  const base = await newest(store);
  if (!base || base.startedAt <= before) return true;
  const archived = await namesIn(store.wal);
  const timeline = Math.max(...archived.filter((name) => HISTORY.test(name)).map(timelineOf), 1);
  if (timeline > timelineOf(base.startSegment)) return true;
  const start = numberOf(base.startSegment);
  const after = archived.filter((name) => SEGMENT.test(name) && numberOf(name) >= start).map(numberOf);
  return after.length > 0 && Math.max(...after) - start + 1 > new Set(after).size;
}

/** @returns why it failed, or null */
async function runBackup(
  { directory, keepMs, maxRate, program }: ScheduleParts,
  signal: AbortSignal,
): Promise<string | null> {
  const args = [program.pathname, directory, '--max-rate', `${maxRate}`, '--keep', `${Math.ceil(keepMs / 1_000)}s`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGTERM' });
  child.on('error', () => undefined);
  try {
    setPriority(child.pid ?? 0, 19);
  } catch {}
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2_000);
  });
  const [code] = await once(child, 'close').catch((error) => [error]);
  if (code === 0) return null;
  return text.trim().split('\n').at(-1) || new BackupError(`it ended with ${code}`).message;
}
