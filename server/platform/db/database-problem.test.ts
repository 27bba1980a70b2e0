import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../listening/free-port.ts';
import { databaseProblem, versionProblem } from './database-problem.ts';
import { createPool, isConnectionLoss } from './pool.ts';
import { freshDatabase } from './test-database.ts';
import { type PoolMode, startPgbouncer } from './test-pgbouncer.ts';

async function database(prepare = ''): Promise<string> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const pool = createPool(url, 1, () => undefined);
  await pool.query(prepare);
  await pool.end();
  return url;
}

async function through(mode: PoolMode): Promise<string> {
  const { url, stop } = await startPgbouncer(await database(), mode);
  onTestFinished(stop);
  return url;
}

const SENTENCE = /^[^.]+(\.[^. ][^.]*)*\.$/;

describe('a database that the service can use', () => {
  test('has no problem, also behind a pooler in session mode', async () => {
    expect(await databaseProblem(await database())).toBeNull();
    expect(await databaseProblem(await through('session'))).toBeNull();
  });
});

describe('a start is refused in one sentence', () => {
  test.each(['transaction', 'statement'] as const)('behind a pooler in %s mode', async (mode) => {
    const problem = await databaseProblem(await through(mode));
    expect(problem).toMatch(/pooler .* set pool_mode to session\.$/);
    expect(problem).toMatch(SENTENCE);
  });

  test('on a database whose advisory locks do not exclude', async () => {
    // CockroachDB has the function, but it locks nothing.
    const url = await database(`CREATE SCHEMA cockroach;
      CREATE FUNCTION cockroach.pg_try_advisory_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = cockroach, pg_catalog', current_database()); END $$`);
    const problem = await databaseProblem(url);
    expect(problem).toMatch(/advisory locks .* use PostgreSQL\.$/);
    expect(problem).toMatch(SENTENCE);
  });

  test('on a read-only database', async () => {
    const url = await database(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`);
    expect(await databaseProblem(url)).toMatch(/is read-only; set default_transaction_read_only to off .*\.$/);
  });

  test('on PostgreSQL 14', () => {
    expect(versionProblem(140_018, '14.18')).toBe(
      'The database in DATABASE_URL is PostgreSQL 14.18; upgrade it to version 15 or later.',
    );
    for (const version of [150_000, 150_012, 180_000]) expect(versionProblem(version, '')).toBeNull();
  });

  test('on a machine whose clock is more than a second off', async () => {
    const url = await database();
    expect(await databaseProblem(url, () => Date.now() + 1_500)).toMatch(
      /^The clock of this machine is 1\.\d seconds ahead of the database's; synchronise both/,
    );
    expect(await databaseProblem(url, () => Date.now() - 60_000)).toMatch(/ behind the database's; synchronise both/);
    expect(await databaseProblem(url, () => Date.now() - 500)).toBeNull();
  });

  test('but an unreachable database is a connection error', async () => {
    const url = `postgres://a:b@127.0.0.1:${await freePort()}/c`;
    const error = await databaseProblem(url).catch((thrown: unknown) => thrown);
    expect(isConnectionLoss(error)).toBe(true);
  });
});
