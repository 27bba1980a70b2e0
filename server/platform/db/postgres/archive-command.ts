import { dirname, join } from 'node:path';
import type { ServerSettings } from './postmaster.ts';

/**
 * How a cluster's write-ahead log is archived. The service copies each finished segment itself and then creates a marker;
 * `archive_command` only waits for the marker. So PostgreSQL keeps a segment until it is safe, whatever is killed, the
 * copy needs no program of the system, and the key stays with the service.
 */
export interface Archiving {
  /** Markers, by segment. */
  readonly markers: string;
  /** Exists while a process archives. Without it the command fails at once. */
  readonly active: string;
  /** Finished segments that are not archived: PostgreSQL's `<segment>.ready`. */
  readonly status: string;
  readonly wal: string;
}

/** @param directory the cluster's folder on disk */
export const archivingOf = (directory: string): Archiving => ({
  markers: join(dirname(directory), 'wal-archived'),
  active: join(dirname(directory), 'wal-archived', 'active'),
  status: join(directory, 'pg_wal', 'archive_status'),
  wal: join(directory, 'pg_wal'),
});

/** An entry is in a finished segment at most this long after it was accepted, and can then be archived. */
export const ARCHIVE_TIMEOUT_SECONDS = 60;

/** About three seconds. A shutdown tries three times and is then immediate after 20 s. */
const TURNS = 15;

export function archiveSettings(directory: string): ServerSettings {
  const { markers, active } = archivingOf(directory);
  const marker = quoted(join(markers, '%f'), 'f');
  const command = [
    'n=0',
    `while [ ! -f ${marker} ]`,
    `do [ -f ${quoted(active)} ] || exit 1`,
    'n=$((n+1))',
    `[ $n -le ${TURNS} ] || exit 1`,
    'sleep 0.2 || sleep 1',
    'done',
  ];
  return {
    archive_mode: 'on',
    archive_timeout: `${ARCHIVE_TIMEOUT_SECONDS}s`,
    archive_command: command.join('; ').replaceAll('do;', 'do'),
  };
}

/** A path in single quotes for the shell. PostgreSQL replaces `%f`, so other percent signs are doubled. */
function quoted(path: string, placeholder?: 'f'): string {
  const doubled = path.replaceAll('%', '%%');
  const named = placeholder ? doubled.replace(/%%f$/, '%f') : doubled;
  return `'${named.replaceAll("'", "'\\''")}'`;
}
