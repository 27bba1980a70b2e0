import { describe, expect, onTestFinished, test } from 'vitest';
import { createPool } from '../db/pool.ts';
import { freshDatabase } from '../db/test-database.ts';
import { createLeadership } from './leader.ts';

async function candidates(count: number) {
  const database = await freshDatabase();
  const pools = Array.from({ length: count }, () => createPool(database.url, 3, () => undefined));
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });
  return pools.map((pool) => ({ pool, leadership: createLeadership(pool) }));
}

describe('of several processes on one database', () => {
  test('one leads, and goes on leading', async () => {
    const all = await candidates(3);
    const first = await Promise.all(all.map(({ leadership }) => leadership.held()));
    expect(first.filter(Boolean)).toHaveLength(1);
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(all.map(({ leadership }) => leadership.held()))).toEqual(first);
    }
    await Promise.all(all.map(({ leadership }) => leadership.release()));
  });

  test('another takes over when the leader lets go', async () => {
    const [one, two] = await candidates(2);
    expect([await one?.leadership.held(), await two?.leadership.held()]).toEqual([true, false]);
    await one?.leadership.release();
    await expect.poll(() => two?.leadership.held()).toBe(true);
    expect(await one?.leadership.held()).toBe(false);
    await two?.leadership.release();
  });

  test('another takes over when the leader’s connection is gone, and the old one notices', async () => {
    const [one, two] = await candidates(2);
    expect([await one?.leadership.held(), await two?.leadership.held()]).toEqual([true, false]);
    const lock =
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()";
    const { rowCount } =
      (await two?.pool.query(
        `${lock} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )) ?? {};
    expect(rowCount).toBe(1);
    await expect.poll(() => two?.leadership.held()).toBe(true);
    expect(await one?.leadership.held()).toBe(false);
    await two?.leadership.release();
    await expect.poll(() => one?.leadership.held()).toBe(true);
    await one?.leadership.release();
  });

  test('none holds more than one connection for it', async () => {
    const [one, two] = await candidates(2);
    for (let round = 0; round < 6; round++) await Promise.all([one?.leadership.held(), two?.leadership.held()]);
    expect([one?.pool.totalCount, two?.pool.totalCount]).toEqual([1, 1]);
    await Promise.all([one?.leadership.release(), two?.leadership.release()]);
  });
});
