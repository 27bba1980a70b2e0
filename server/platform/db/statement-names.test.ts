import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from './pool.ts';
import { runAll } from './statement.ts';
import { freshDatabase } from './test-database.ts';

async function database() {
  const fresh = await freshDatabase();
  const pool = createPool(fresh.url, 2, () => undefined);
  onTestFinished(async () => {
    await pool.end();
    await fresh.drop();
  });
  return pool;
}

test('a name identifies one statement on all connections', async () => {
  const pool = await database();
  const name = randomUUID();
  const [first, second] = [await pool.connect(), await pool.connect()];
  const run = async (client: typeof first, text: string) => (await client.query({ name, text })).rows;
  expect(await run(first, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  for (const client of [first, second])
    await expect(run(client, 'SELECT 2 AS n')).rejects.toThrow(`"${name}" is already used for another statement`);
  expect(await run(second, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  for (const client of [first, second]) client.release();
  await expect(pool.query({ name, text: 'SELECT 3 AS n' })).rejects.toThrow('is already used for another statement');
  expect((await pool.query({ name, text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }]);
});

test('a name that PostgreSQL would truncate is refused', async () => {
  const pool = await database();
  const name = `${randomUUID()}${'é'.repeat(14)}`;
  await expect(pool.query({ name, text: 'SELECT 1' })).rejects.toThrow('is too long');
  await pool.query({ name: name.slice(0, -1), text: 'SELECT 1' });
});

test('a name identifies one statement in runAll too', async () => {
  const pool = await database();
  await pool.query('CREATE TABLE t (n int)');
  const name = randomUUID();
  const client = await pool.connect();
  const insert = (value: number) => ({ name, text: `INSERT INTO t VALUES ($1 + ${value})`, values: [1] });
  await runAll(client, [insert(1)]);
  await expect(runAll(client, [insert(2)])).rejects.toThrow('is already used for another statement');
  client.release();
  expect((await pool.query('SELECT n FROM t')).rows).toEqual([{ n: 2 }]);
});
