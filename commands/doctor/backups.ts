import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import type { Config } from '../../server/config.ts';
import { isOnDiskOfData } from '../../server/platform/data-folder/same-disk.ts';
import { archivingProblem, readArchiving } from '../../server/platform/db/archiving.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';
import { spaceProblems } from './machine.ts';

/** BACKUP_DIR for the embedded database, the archiving of the database's own for DATABASE_URL. */
export const backups: Check = {
  name: 'backups',
  skips: ({ DATABASE_URL, BACKUP_DIR }) =>
    DATABASE_URL || BACKUP_DIR ? null : 'BACKUP_DIR is not set, and the embedded database is not backed up',
  run: (config) => (config.DATABASE_URL ? archiving(config.DATABASE_URL) : backupFolder(config)),
};

async function archiving(url: string): Promise<Finding[]> {
  const pool = createPool(url, 1, () => undefined);
  try {
    const problem = archivingProblem(await readArchiving(pool));
    if (problem === null) return [];
    const remedy = 'Set up pgBackRest or WAL-G (docs/backups.md); ignore this if a replication slot archives instead.';
    return [warning(problem, remedy)];
  } finally {
    await pool.end();
  }
}

async function backupFolder({ BACKUP_DIR = '', DATA_DIR }: Config): Promise<Finding[]> {
  const remedy = 'Create the folder, and give it to the user of the service.';
  try {
    if (!(await stat(BACKUP_DIR)).isDirectory()) return [failure(`${BACKUP_DIR} is not a folder.`, remedy)];
    await access(BACKUP_DIR, constants.W_OK | constants.X_OK);
  } catch (error) {
    return [failure(`${BACKUP_DIR} cannot be written (${reasonOf(error)}).`, remedy)];
  }
  const space = await statfs(BACKUP_DIR);
  const free = spaceProblems(BACKUP_DIR, space.bavail * space.bsize, 'Free space or move BACKUP_DIR.');
  return [...free, ...((await isOnDiskOfData(BACKUP_DIR, DATA_DIR)) ? [SAME_DISK] : [])];
}

const SAME_DISK = warning(
  'BACKUP_DIR is on the same file system as DATA_DIR.',
  'Use another disk or machine, and check that it is mounted: a lost disk would take the backups with it.',
);
