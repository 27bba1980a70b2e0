import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW_MS } from '../platform/db/clock.ts';
import { createPool } from '../platform/db/pool.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { lockHead } from './head.ts';

let service: TestService;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 3, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

test('lockHead observes the time at which the lock was acquired, not when the wait began', async () => {
  const [first, second] = [await pool.connect(), await pool.connect()];
  let observed = 0;
  await first.query('BEGIN');
  await lockHead(first);
  await second.query('BEGIN');
  const waiting = lockHead(second, {
    observe(databaseNow) {
      observed = databaseNow;
    },
  });
  await expect
    .poll(async () => (await pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount)
    .toBe(1);
  const { rows } = await pool.query<{ ms: number }>(`SELECT ${NOW_MS} AS ms`);
  expect(observed).toBe(0);
  await first.query('COMMIT');
  await waiting;
  expect(observed).toBeGreaterThan(rows[0]?.ms ?? Number.POSITIVE_INFINITY);
  await second.query('ROLLBACK');
  first.release();
  second.release();
});
