import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cursorAt } from '../../../../protocol/events.ts';
import type { IeoId } from '../../../../protocol/ids.ts';
import type { RecentResponse } from '../../../../protocol/read-responses.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { migratedDatabase } from '../../../platform/db/test-database.ts';
import { type Claimed, claimDue, endTurn, type Progress, saveProgress } from './delivery-rows.ts';

const NOW = Date.UTC(2026, 10, 23);
const LEASE_MS = 30_000;
const START = cursorAt(7, '2026-11-22T00:00:00.000Z');
const LATER = cursorAt(8, '2026-11-22T12:00:00.000Z');

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await migratedDatabase();
  pool = createPool(database.url, 2, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const claim = (now: number, more: Partial<Parameters<typeof claimDue>[1]> = {}) =>
  claimDue(pool, { now, leaseMs: LEASE_MS, failing: false, limit: 10, own: [], ...more });

/** A webhook that is due, leased by this test. */
async function claimedWebhook(columns = ''): Promise<Claimed> {
  await pool.query('DELETE FROM webhooks');
  await pool.query('INSERT INTO webhooks (ieo_id, url, place, due_at) VALUES ($1, $2, $3, $4)', [
    randomUUID(),
    'https://hooks.example.org/',
    JSON.stringify(START),
    new Date(NOW),
  ]);
  if (columns !== '') await pool.query(`UPDATE webhooks SET ${columns}`);
  const [claimed] = [...(await claim(NOW)), ...(await claim(NOW, { failing: true }))];
  if (!claimed) throw new Error('The webhook was not claimed.');
  return claimed;
}

const row = async () => (await pool.query('SELECT * FROM webhooks')).rows[0];
const change = (columns: string) => pool.query(`UPDATE webhooks SET ${columns}`);

const RESPONSE: RecentResponse = {
  ...{ at: '2026-11-23T00:00:00.000Z', sent: 'event', event_id: 'evt_1', event_type: 'beo.locked' },
  ...{ event_at: '2026-11-22T12:00:00.000Z', status: 204, problem: null, ms: 5, body: '' },
};
const delivered: Progress = { place: LATER, replay: null, waitingSince: null, responses: [RESPONSE] };
const save = (claimed: Claimed, progress = delivered) => saveProgress(pool, claimed, progress, NOW + 2 * LEASE_MS);
const empty = (news: number) => ({ why: 'empty', news, place: LATER }) as const;

describe('a webhook is claimed', () => {
  test('by one sender at a time, until its lease ends', async () => {
    const first = await claimedWebhook();
    expect(await claim(NOW + LEASE_MS - 1)).toEqual([]);
    const [second] = await claim(NOW + LEASE_MS);
    expect([second?.ieoId, second?.lease === first.lease]).toEqual([first.ieoId, false]);
  });

  test('by no second turn of the process that sends to it, whatever the time is', async () => {
    const { ieoId } = await claimedWebhook();
    expect(await claim(NOW + 10 * LEASE_MS, { own: [ieoId as IeoId] })).toEqual([]);
  });

  test.each([
    ['paused', "paused_at = now(), pause_reason = 'REQUESTED'"],
    ['not due', `due_at = '${new Date(NOW + 1).toISOString()}'`],
    ['without news', 'due_at = NULL'],
  ])('not if it is %s', async (_, columns) => {
    await claimedWebhook();
    await change(`lease = NULL, lease_until = NULL, ${columns}`);
    expect(await claim(NOW)).toEqual([]);
  });

  test('among those that failed, or among the others', async () => {
    await claimedWebhook();
    await change('lease = NULL, lease_until = NULL, failures = 1');
    expect(await claim(NOW)).toEqual([]);
    expect(await claim(NOW, { failing: true })).toHaveLength(1);
  });
});

describe('progress is recorded', () => {
  test('with the response, and ends the failures', async () => {
    const claimed = await claimedWebhook('failures = 3, failing_since = now()');
    expect(await save(claimed)).toBe(0);
    expect(await row()).toMatchObject({ place: LATER, failures: 0, failing_since: null, responses: [RESPONSE] });
  });

  test('without a response too, which does not end the failures', async () => {
    const claimed = await claimedWebhook('failures = 3, failing_since = now()');
    await save(claimed, { ...delivered, responses: [] });
    expect(await row()).toMatchObject({ place: LATER, failures: 3, failing_since: expect.any(String) });
  });

  test.each([
    ['another sender has leased the webhook', 'lease = gen_random_uuid()'],
    ['the webhook was changed', 'version = version + 1'],
  ])('not once %s', async (_, columns) => {
    const claimed = await claimedWebhook();
    await change(columns);
    expect(await save(claimed)).toBe(null);
    expect(await row()).toMatchObject({ place: START, responses: [] });
  });

  test('during a pause too, and the sender stops', async () => {
    const claimed = await claimedWebhook();
    await change("paused_at = now(), pause_reason = 'REQUESTED'");
    expect(await save(claimed)).toBe(null);
    expect(await row()).toMatchObject({ place: LATER });
  });
});

describe('a turn that found no event ends', () => {
  test('the wait for news', async () => {
    const claimed = await claimedWebhook();
    await endTurn(pool, claimed, empty(0), NOW);
    expect(await row()).toMatchObject({ place: LATER, due_at: null, lease: null });
  });

  test('and another begins if there was news since it read', async () => {
    const claimed = await claimedWebhook();
    await change('news = news + 1');
    await endTurn(pool, claimed, empty(0), NOW);
    expect(await claim(NOW)).toHaveLength(1);
  });

  test('without changing a webhook that was changed meanwhile, and releases its lease', async () => {
    const claimed = await claimedWebhook();
    await change('version = version + 1');
    await endTurn(pool, claimed, empty(0), NOW);
    expect(await row()).toMatchObject({ place: START, due_at: new Date(NOW).toISOString(), lease: null });
  });

  test('without effect on the lease of another sender', async () => {
    const claimed = await claimedWebhook();
    await change('lease = gen_random_uuid()');
    const { lease } = await row();
    await endTurn(pool, claimed, empty(0), NOW);
    expect(await row()).toMatchObject({ place: START, lease });
  });
});

test('a failed turn keeps when the next attempt is due, also if there was news', async () => {
  const claimed = await claimedWebhook();
  await change('news = news + 1');
  const failed = { why: 'failed', failures: 2, failingSince: NOW, dueAt: NOW + 300_000, response: RESPONSE } as const;
  await endTurn(pool, claimed, failed, NOW);
  expect(await row()).toMatchObject({ place: START, failures: 2, lease: null, responses: [RESPONSE] });
  expect(await claim(NOW + 299_999, { failing: true })).toEqual([]);
  expect(await claim(NOW + 300_000, { failing: true })).toHaveLength(1);
});
