import { describe, expect, onTestFinished, test } from 'vitest';
import { createPool } from '../platform/db/pool.ts';
import { freshDatabase } from '../platform/db/test-database.ts';
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
  test('one becomes and remains the leader', async () => {
    const all = await candidates(3);
    const first = await Promise.all(all.map(({ leadership }) => leadership.held()));
    expect(first.filter(Boolean)).toHaveLength(1);
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(all.map(({ leadership }) => leadership.held()))).toEqual(first);
    }
    await Promise.all(all.map(({ leadership }) => leadership.release()));
  });

  test('another takes over when the leader releases the lock', async () => {
    const [first, second] = await candidates(2);
    expect([await first?.leadership.held(), await second?.leadership.held()]).toEqual([true, false]);
    await first?.leadership.release();
    await expect.poll(() => second?.leadership.held()).toBe(true);
    expect(await first?.leadership.held()).toBe(false);
    await second?.leadership.release();
  });

  test('another takes over when the leader loses its connection, and the old leader notices', async () => {
    const [first, second] = await candidates(2);
    expect([await first?.leadership.held(), await second?.leadership.held()]).toEqual([true, false]);
    const lock =
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()";
    const { rowCount } =
      (await second?.pool.query(
        `${lock} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )) ?? {};
    expect(rowCount).toBe(1);
    await expect.poll(() => second?.leadership.held()).toBe(true);
    expect(await first?.leadership.held()).toBe(false);
    await second?.leadership.release();
    await expect.poll(() => first?.leadership.held()).toBe(true);
    await first?.leadership.release();
  });

  test('each uses at most one connection for the election', async () => {
    const [first, second] = await candidates(2);
    for (let round = 0; round < 6; round++) await Promise.all([first?.leadership.held(), second?.leadership.held()]);
    expect([first?.pool.totalCount, second?.pool.totalCount]).toEqual([1, 1]);
    await Promise.all([first?.leadership.release(), second?.leadership.release()]);
  });
});
