import { expect, onTestFinished, test } from 'vitest';
import { migrate, migrateDatabase } from './migrate.ts';
import { createPool } from './pool.ts';
import { freshDatabase } from './test-database.ts';

async function emptyDatabase() {
  const database = await freshDatabase();
  const pool = createPool(database.url, 8, () => undefined);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return pool;
}

test('an empty database is migrated once', async () => {
  const pool = await emptyDatabase();
  const applied = await migrate(pool);
  expect(applied[0]).toBe('001-identity');
  expect([...applied].sort()).toEqual(applied);
  expect(await migrate(pool)).toEqual([]);
  const { rows } = await pool.query('SELECT name FROM migrations ORDER BY name');
  expect(rows.map(({ name }) => name)).toEqual(applied);
  for (const table of [
    'ledger_head',
    'ledger_entries',
    'bundles',
    'nonces',
    'names',
    'beos',
    'vault_keys',
    'invitations',
  ])
    expect((await pool.query(`SELECT 1 FROM ${table}`)).rows).toEqual([]);
});

test('several processes that start at once apply each migration once', async () => {
  const pool = await emptyDatabase();
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(pool)));
  const { rows } = await pool.query('SELECT name FROM migrations ORDER BY name');
  // Those that only fill a table run after the others, and another process may be first.
  expect(applied.flat().toSorted()).toEqual(rows.map(({ name }) => name));
  expect(rows.length).toBeGreaterThan(30);
});

test('a failed migration changes nothing', async () => {
  const pool = await emptyDatabase();
  await pool.query('CREATE TABLE vault_rows (unrelated text)');
  await expect(migrate(pool)).rejects.toThrow('vault_rows');
  const { rows } = await pool.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'");
  expect(rows).toEqual([{ table_name: 'vault_rows' }]);
  await pool.query('DROP TABLE vault_rows');
  expect((await migrate(pool)).length).toBeGreaterThan(0);
});

test('a migration that only fills a table lets the previous version write', async () => {
  const pool = await emptyDatabase();
  await migrate(pool);
  const name = '040-earlier-submissions';
  await pool.query('DELETE FROM migrations WHERE name = $1', [name]);
  const writer = await pool.connect();
  await writer.query('BEGIN');
  await writer.query('LOCK TABLE ledger_head, ledger_entries IN ROW EXCLUSIVE MODE');
  expect(await migrate(pool)).toEqual([name]);
  await writer.query('COMMIT');
  writer.release();
});

test('migrations at the start of a service run without a statement timeout', async () => {
  const database = await freshDatabase();
  // Only a superuser can create event triggers.
  const pool = createPool(database.adminUrl, 1, () => undefined);
  await pool.query(`CREATE TABLE timeouts (statement_timeout text);
    CREATE FUNCTION note_timeout() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN INSERT INTO timeouts VALUES (current_setting('statement_timeout')); END $$;
    CREATE EVENT TRIGGER note_timeout ON ddl_command_end EXECUTE FUNCTION note_timeout()`);
  expect((await migrateDatabase(database.url, () => undefined)).length).toBeGreaterThan(0);
  expect((await pool.query('SELECT DISTINCT * FROM timeouts')).rows).toEqual([{ statement_timeout: '0' }]);
  await pool.end();
  await database.drop();
});
