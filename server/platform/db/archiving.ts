import type { Pool } from 'pg';

/** How the database archives its write-ahead log, as pg_stat_archiver reports. */
export interface Archiving {
  readonly isOn: boolean;
  /** Whether the last attempt failed. */
  readonly failing: boolean;
  /** Seconds since the last segment was archived; null if none was. */
  readonly lastSeconds: number | null;
}

/** Any role may read it. A database that is archived by a replication slot, without `archive_mode`, shows as off. */
export async function readArchiving(db: Pick<Pool, 'query'>): Promise<Archiving> {
  const { rows } = await db.query<{ is_on: boolean; failing: boolean; last_seconds: number | null }>(
    `SELECT current_setting('archive_mode') <> 'off' AS is_on,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS failing,
       extract(epoch FROM clock_timestamp() - last_archived_time)::float8 AS last_seconds
     FROM pg_stat_archiver`,
  );
  const [row] = rows;
  return { isOn: row?.is_on ?? false, failing: row?.failing ?? false, lastSeconds: row?.last_seconds ?? null };
}

/** A sentence about archiving that is off or fails; null if it works. */
export function archivingProblem({ isOn, failing, lastSeconds }: Archiving): string | null {
  if (!isOn) return 'The database does not archive its write-ahead log (archive_mode is off).';
  if (failing)
    return 'The last attempt of the database to archive its write-ahead log failed. Read the log of the database. Until archiving succeeds, the write-ahead log fills the disk, and changes since the last archived segment have no copy.';
  if (lastSeconds === null) return 'The database has not archived any write-ahead log yet.';
  return null;
}
