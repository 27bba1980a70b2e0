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

test('a name stands for one statement on every connection', async () => {
  const pool = await database();
  const name = randomUUID();
  const [one, other] = [await pool.connect(), await pool.connect()];
  const ask = async (client: typeof one, text: string) => (await client.query({ name, text })).rows;
  expect(await ask(one, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  for (const client of [one, other])
    await expect(ask(client, 'SELECT 2 AS n')).rejects.toThrow(`"${name}" stands for another statement already`);
  expect(await ask(other, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  for (const client of [one, other]) client.release();
  await expect(pool.query({ name, text: 'SELECT 3 AS n' })).rejects.toThrow('stands for another statement');
  expect((await pool.query({ name, text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }]);
});

test('a name is not so long that PostgreSQL would cut it', async () => {
  const pool = await database();
  const name = `${randomUUID()}${'é'.repeat(14)}`;
  await expect(pool.query({ name, text: 'SELECT 1' })).rejects.toThrow('is too long');
  await pool.query({ name: name.slice(0, -1), text: 'SELECT 1' });
});

test('nor does a name stand for two statements that run with others as one', async () => {
  const pool = await database();
  await pool.query('CREATE TABLE t (n int)');
  const name = randomUUID();
  const client = await pool.connect();
  const insert = (value: number) => ({ name, text: `INSERT INTO t VALUES ($1 + ${value})`, values: [1] });
  await runAll(client, [insert(1)]);
  await expect(runAll(client, [insert(2)])).rejects.toThrow('stands for another statement');
  client.release();
  expect((await pool.query('SELECT n FROM t')).rows).toEqual([{ n: 2 }]);
});
