import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeSecret } from '../platform/data-folder/key-files.ts';
import { databaseProblem } from '../platform/db/database-problem.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { createPool } from '../platform/db/pool.ts';
import { freshDatabase } from '../platform/db/test-database.ts';
import { startProblem } from './start-problem.ts';

const problemOf = (work: () => Promise<unknown>): Promise<string | null> =>
  work().then(
    () => null,
    (error: unknown) => startProblem(error),
  );

test('a database that refuses the service is reported by what to correct', async () => {
  const { url, adminUrl, drop } = await freshDatabase();
  onTestFinished(drop);
  const opened = (change: (url: URL) => void) => {
    const changed = new URL(url);
    change(changed);
    return problemOf(() => databaseProblem(changed.href));
  };
  expect(await opened((url) => (url.password = 'wrong'))).toMatch(/refuses the password in DATABASE_URL/);
  expect(await opened((url) => (url.password = ''))).toMatch(/has no password/);
  expect(await opened((url) => (url.pathname = '/none'))).toMatch(/does not exist on its server/);
  expect(await opened((url) => (url.search = '?sslmode=verify-full'))).toMatch(
    /^The TLS connection to the database fails/,
  );
  expect(await opened((url) => (url.port = '9'))).toBe('The database is not reachable; check DATABASE_URL.');

  const admin = createPool(adminUrl, 1, () => undefined);
  await admin.query(`ALTER SCHEMA public OWNER TO CURRENT_USER; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO CURRENT_USER', current_database()); END $$`);
  await admin.end();
  expect(await problemOf(() => migrateDatabase(url, () => undefined))).toBe(
    'The role in DATABASE_URL lacks a right (permission denied for schema public); make it the owner of the database.',
  );
});

test('a data directory that cannot be used is reported by its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  // Root may write everywhere, except into what is no folder.
  expect(await problemOf(async () => writeSecret(join(file, 'secret'), 'text'))).toBe(
    `${file} cannot be used (EEXIST): check DATA_DIR and the files that settings name, and give them to the user of the service.`,
  );
});

test('an internal error is none of these', () => {
  expect(startProblem(new TypeError('x is not a function'))).toBeNull();
});
