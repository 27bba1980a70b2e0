import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../platform/db/pool.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { type Day, readActivity, recentActivity } from './activity.ts';
import { type EntryPlace, listEntries, MAX_READ } from './list-entries.ts';

const ENTRIES = 3_000;
const RARE_EVERY = 1_500;
const NOW = Date.parse('2026-03-31T10:00:00Z');

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await migratedDatabase();
  pool = createPool(database.url, 2, () => undefined, { inOrder: true });
  // Ten entries an hour, the last one at 10:00 on 31 March. Bundles have a hundred entries each.
  await pool.query(
    `INSERT INTO ledger_entries (seq, epoch, id, function, entity_id, accepted_at, item)
     SELECT n, 1, 'entry-' || n, CASE WHEN n % ${RARE_EVERY} = 0 THEN 'lockBEO' WHEN n % 2 = 0 THEN 'createBEO' ELSE 'grantConsent' END,
       gen_random_uuid(), $1::timestamptz - (${ENTRIES} - n) * interval '6 minutes', '' FROM generate_series(1, ${ENTRIES}) n`,
    [new Date(NOW).toISOString()],
  );
  await pool.query(
    `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, seq, budget_day, budget_bytes) VALUES ('x', 'x', 1, ${ENTRIES}, now(), 0)`,
  );
  await pool.query(
    `INSERT INTO bundles (first_seq, last_seq, bytes, l1_tx, transaction, data_sha256, reward_winston, anchor_height, status)
     SELECT n, n + 99, 1, 'tx-' || n, '{}', '', 0, 0, CASE WHEN n < 2400 THEN 'FINAL' WHEN n < 2600 THEN 'CONFIRMED' WHEN n < 2700 THEN 'POSTED' ELSE 'PREPARED' END
     FROM generate_series(1, 2701, 100) n`,
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ALL = { functions: null, status: null, from: null, until: null };
const NEWEST: EntryPlace = { before: null, after: null };
const list = async (filters = {}, place: Partial<EntryPlace> = {}, limit = 10) => {
  const page = await listEntries({ listPool: pool }, { ...ALL, ...filters }, { ...NEWEST, ...place }, limit);
  return { ...page, entries: page.entries.map(({ seq }) => seq) };
};
const run = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, index) => from - index * step);

test('pages lead from the newest entry to the first one and back', async () => {
  expect(await list()).toEqual({ entries: run(3_000, 10), newer: null, older: 2_991 });
  expect(await list({}, { before: 2_991 })).toEqual({ entries: run(2_990, 10), newer: 2_990, older: 2_981 });
  expect(await list({}, { before: 11 })).toEqual({ entries: run(10, 10), newer: 10, older: null });
  expect(await list({}, { after: 10 })).toEqual({ entries: run(20, 10), newer: 20, older: 11 });
});

test('the page that reaches the newest entry is the first one, in full', async () => {
  expect(await list({}, { after: 2_995 })).toEqual(await list());
  expect(await list({}, { after: Number.MAX_SAFE_INTEGER })).toEqual(await list());
});

test('a page outside the ledger is empty', async () => {
  expect(await list({}, { before: 1 })).toEqual({ entries: [], newer: 0, older: null });
  expect((await list({}, { before: Number.MAX_SAFE_INTEGER })).entries).toEqual(run(3_000, 10));
});

test('the entries between two times are listed, with the pages before and after', async () => {
  // Ten entries an hour: entry 2 900 was accepted at 00:00 on 31 March, 2 660 a day earlier.
  const day = { from: '2026-03-30T00:00:00.000Z', until: '2026-03-31T00:00:00.000Z' };
  expect(await list(day)).toEqual({ entries: run(2_899, 10), newer: null, older: 2_890 });
  expect(await list(day, { before: 2_663 })).toEqual({ entries: [2_662, 2_661, 2_660], newer: 2_662, older: null });
  expect(await list(day, { after: 2_880 })).toEqual({ entries: run(2_890, 10), newer: 2_890, older: 2_881 });
  expect(await list({ ...day, functions: ['lockBEO'] })).toMatchObject({ entries: [] });
  expect(await list({ from: '2027-01-01T00:00:00.000Z' })).toMatchObject({ entries: [] });
  expect(await list({ until: '2020-01-01T00:00:00.000Z' })).toMatchObject({ entries: [] });
});

test('entries of some functions are merged by seq', async () => {
  expect(await list({ functions: ['grantConsent'] })).toEqual({
    entries: run(2_999, 10, 2),
    newer: null,
    older: 2_981,
  });
  expect((await list({ functions: ['grantConsent', 'lockBEO'] })).entries).toEqual([3_000, ...run(2_999, 9, 2)]);
  expect(await list({ functions: ['lockBEO'] })).toEqual({ entries: [3_000, 1_500], newer: null, older: null });
  expect(await list({ functions: [] })).toEqual({ entries: [], newer: null, older: null });
});

test.each([
  ['ACCEPTED', 3_000, 2_701],
  ['POSTED', 2_700, 2_601],
  ['CONFIRMED', 2_600, 2_401],
  ['FINAL', 2_400, 1],
] as const)('the entries with the status %s are %d to %d', async (status, newest, oldest) => {
  expect((await list({ status })).entries).toEqual(run(newest, 10));
  expect((await list({ status }, { before: oldest + 3 })).entries).toEqual(run(oldest + 2, 3));
  expect((await list({ status }, { after: oldest - 1 })).entries).toEqual(run(oldest + 9, 10));
});

test('a page of a status reads a limited number of entries, and the next one continues it', async () => {
  await pool.query(`UPDATE bundles SET status = 'POSTED' WHERE first_seq = 1`);
  const first = await list({ status: 'POSTED' }, { before: 2_601 });
  expect(first).toEqual({ entries: [], newer: 2_600, older: 2_601 - MAX_READ });
  const second = await list({ status: 'POSTED' }, { before: first.older });
  expect((await list({ status: 'POSTED' }, { before: second.older })).entries).toEqual(run(100, 10));
  await pool.query(`UPDATE bundles SET status = 'FINAL' WHERE first_seq = 1`);
});

test('every list is read along an index', async () => {
  for (const functions of [null, ['grantConsent', 'lockBEO']]) {
    const client = await pool.connect();
    const plans: string[] = [];
    const explaining = {
      query: async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
        const { rows } = await client.query(`EXPLAIN ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    };
    const parts = { listPool: explaining as unknown as Pool };
    for (const place of [NEWEST, { before: 5, after: null }, { before: null, after: 5 }])
      await listEntries(parts, { ...ALL, functions, status: 'FINAL' }, place, 10);
    client.release();
    expect(plans.length).toBeGreaterThanOrEqual(6);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on/);
    if (functions) expect(plans.join()).toContain('ledger_entries_of_function');
  }
});

const counts = (days: readonly Day[]) => days.map(({ entries }) => entries);

test('the activity counts the entries of each day in UTC', async () => {
  const parts = { listPool: pool, now: () => NOW };
  const days = await readActivity(parts);
  const { rows } = await pool.query<{ entries: number }>(
    `SELECT count(e.seq) AS entries FROM generate_series($1::timestamptz - interval '29 days', $1, '1 day') AS day
     LEFT JOIN ledger_entries e ON e.accepted_at >= day AND e.accepted_at < day + interval '1 day' GROUP BY day ORDER BY day`,
    ['2026-03-31T00:00:00Z'],
  );
  expect(counts(days)).toEqual(rows.map(({ entries }) => entries));
  expect([days.length, days[0]?.day, days.at(-1)]).toEqual([
    30,
    '2026-03-02T00:00:00.000Z',
    { day: '2026-03-31T00:00:00.000Z', entries: 101 },
  ]);
  expect(counts(days).reduce((sum, entries) => sum + entries)).toBe(ENTRIES);
  const later = await readActivity({ listPool: pool, now: () => NOW + 20 * 86_400_000 });
  expect(counts(later).slice(9)).toEqual([...counts(days).slice(29), ...Array(20).fill(0)]);
});

test('the activity is read once for visitors within half a minute', async () => {
  let [now, reads] = [NOW, 0];
  const counting = {
    query: (statement: never) => {
      reads++;
      return pool.query(statement);
    },
  };
  const parts = { listPool: counting as unknown as Pool, now: () => now };
  const [first] = await Promise.all([recentActivity(parts), recentActivity(parts)]);
  now += 29_000;
  expect([await recentActivity(parts), reads]).toEqual([first, 1]);
  now += 2_000;
  await recentActivity(parts);
  expect(reads).toBe(2);
});
