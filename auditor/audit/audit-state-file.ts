import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { CommandError } from '../../server/platform/command-line/options.ts';

export type Value = number | string | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** A prepared statement. All values of a kind are bound by position. */
export interface Query {
  all(...values: Value[]): readonly Row[];
  /** One row at a time. Nothing else may be done with the query meanwhile. */
  each(): Iterable<Row>;
  run(...values: Value[]): { readonly changes: number; readonly lastRow: number };
}

/**
 * An SQLite file that only this process uses, in a temporary folder. Everything is one transaction without a journal: the file
 * is of no use after a crash, until `commit` has returned.
 */
export interface StateFile {
  readonly path: string;
  query(sql: string): Query;
  /** Writes everything to the file and begins another transaction. */
  commit(): void;
  /** Removes the file and its folder. */
  close(): void;
}

/** Bounds the memory, however large the file is: most of the indexes of a million identities. */
const CACHE_KIB = 24 * 1024;

const SETTINGS = [
  'PRAGMA journal_mode = OFF',
  'PRAGMA synchronous = OFF',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA temp_store = MEMORY',
  `PRAGMA cache_size = -${CACHE_KIB}`,
];

const FILE = 'state.sqlite';

/** Creates a temporary folder for a state file, below the system's (TMPDIR). */
export const temporaryStateFolder = (): string => mkdtempSync(join(tmpdir(), 'perpetua-state-'));

/**
 * Opens the state file in a folder that the caller has created, and which `close` removes.
 * @throws {CommandError} if the file cannot be written, here and in every query
 */
export function openStateFile(folder: string): StateFile {
  const path = join(folder, FILE);
  const database: Database = inFile(path, () => new sqlite.Database(path));
  const finalizers: (() => void)[] = [];
  const exec = (sql: string): void => inFile(path, () => database.exec(sql));
  for (const setting of [...SETTINGS, 'BEGIN']) exec(setting);

  return {
    path,
    query(sql) {
      const statement = inFile(path, () => database.prepare(sql));
      finalizers.push(() => statement.finalize());
      return {
        all: (...values) => inFile(path, () => statement.all(values) as readonly Row[]),
        *each() {
          const rows = statement.iterate();
          for (let next = inFile(path, () => rows.next()); !next.done; next = inFile(path, () => rows.next())) {
            yield next.value as Row;
          }
        },
        run: (...values) =>
          inFile(path, () => {
            const { changes, lastInsertRowid } = statement.run(values);
            return { changes, lastRow: Number(lastInsertRowid) };
          }),
      };
    },
    commit() {
      exec('COMMIT');
      exec('BEGIN');
    },
    close() {
      if (!database.isOpen) return;
      // Both report the last error of a statement again. The file is of no use any more.
      for (const step of [...finalizers, () => database.close()]) ignoringErrors(step);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const stateFileIn = (folder: string): string => join(folder, FILE);

function ignoringErrors(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
  }
}

function inFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error;
    const folder = dirname(path);
    throw new CommandError(
      /disk I\/O error|full|Could not open/.test(error.message)
        ? `The temporary files in ${folder} cannot be written, perhaps because the disk is full (about 1 GB for a million ` +
            'identities). Set TMPDIR to a folder with more space.'
        : `The temporary files in ${folder} cannot be used: ${error.message}.`,
    );
  }
}
