import { expect, onTestFinished, test } from 'vitest';
import { NONCE_RETENTION_MS } from '../../../protocol/time.ts';
import { createExpiry } from './delete-expired.ts';
import { createPool } from './pool.ts';
import { migratedDatabase } from './test-database.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;

test('deletions run when something has expired, and otherwise once a minute', async () => {
  const database = await migratedDatabase();
  const pool = createPool(database.url, 1, () => undefined);
  const client = await pool.connect();
  onTestFinished(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });
  const runs: { readonly now: number; readonly since: number }[] = [];
  const step = createExpiry({ linksMs: 30 * DAY, mailCountsMs: DAY }, [
    async (_, now, since) => void runs.push({ now: now - NOW, since: since && since - NOW }),
  ]);
  const steps = async (...times: readonly number[]) => {
    runs.length = 0;
    for (const at of times) await step(client, NOW + at);
    return runs;
  };

  expect(await steps(0)).toEqual([{ now: 0, since: 0 }]);
  expect(await steps(1_000, 2_000)).toEqual([]);
  await client.query(`INSERT INTO nonces (hash, seen_at) VALUES ('x', $1)`, [
    new Date(NOW + 3_000 - NONCE_RETENTION_MS),
  ]);
  expect(await steps(3_000, 3_001)).toEqual([{ now: 3_001, since: 3_000 }]);
  await client.query('DELETE FROM nonces');
  expect(await steps(4_000, 63_000, 63_001, 64_000)).toEqual([{ now: 63_001, since: 63_000 }]);
});
