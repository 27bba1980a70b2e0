import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TransactionId } from '../../protocol/ids.ts';
import { createBEO } from '../../protocol/operations/create-beo.ts';
import { lockBEO } from '../../protocol/operations/lock-beo.ts';
import { createClock } from '../clock.ts';
import { adminUrlOf } from '../db/test-database.ts';
import type { Head } from '../ledger/head.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { freshDomain, newPerson } from '../test-service.ts';
import { accept } from './accept.ts';
import { createFoothold } from './foothold.ts';
import { create, createMany, service } from './test-alone.ts';

const head = (seq: number): Head => ({
  ledgerId: 'ledger' as Head['ledgerId'],
  relayerPublicKey: '',
  epoch: 1,
  epochBeganAt: null,
  seq,
  id: `entry ${seq}` as TransactionId,
  acceptedAt: null,
  budgetDay: '2026-01-01',
  budgetBytes: 0,
});

describe('a foothold', () => {
  test('is where a process has left the head twice in a row, with nobody in between', () => {
    const foothold = createFoothold(() => 0);
    expect(foothold.presumed()).toBeNull();
    foothold.locked(head(4), head(5));
    expect(foothold.presumed()).toBeNull();
    foothold.locked(head(5), head(7));
    expect(foothold.presumed()).toEqual(head(7));
    foothold.kept(head(8));
    expect(foothold.presumed()).toEqual(head(8));
    foothold.locked(head(9), head(10));
    expect(foothold.presumed()).toBeNull();
    foothold.locked({ ...head(10), epoch: 2 }, { ...head(11), epoch: 2 });
    expect(foothold.presumed()).toBeNull();
  });

  test('is lost to a conflict until it was found again', () => {
    const foothold = createFoothold(() => 0);
    foothold.locked(head(1), head(1));
    foothold.locked(head(1), head(2));
    foothold.lost();
    expect(foothold.presumed()).toBeNull();
    foothold.locked(head(2), head(3));
    expect(foothold.presumed()).toEqual(head(3));
  });

  test('is looked at again after a second', () => {
    let now = 0;
    const foothold = createFoothold(() => now);
    foothold.locked(head(1), head(2));
    foothold.locked(head(2), head(3));
    now = 999;
    foothold.kept(head(4));
    expect(foothold.presumed()).toEqual(head(4));
    now = 1_000;
    expect(foothold.presumed()).toBeNull();
    foothold.locked(head(4), head(5));
    expect(foothold.presumed()).toEqual(head(5));
  });
});

test('whoever was there first disturbs for a minute', () => {
  let now = 5_000;
  const foothold = createFoothold(() => now);
  expect(foothold.isUndisturbed()).toBe(true);
  foothold.lost();
  now += 59_999;
  expect(foothold.isUndisturbed()).toBe(false);
  now += 1;
  expect(foothold.isUndisturbed()).toBe(true);
});

describe('a process that is alone', () => {
  // A foothold lasts a second; here, however long the machine takes.
  beforeEach(() => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    return () => now.mockRestore();
  });

  test('goes on from where it has left the head, without locking it', async () => {
    const alone = await service();
    const taken = freshDomain();
    expect((await create(alone, taken)).status).toBe(201);
    expect(await createMany(alone, 30)).toEqual(Array.from({ length: 30 }, () => 201));
    expect(alone.locks).toHaveBeenCalledTimes(2);
    expect((await create(alone, taken)).body).toMatchObject({ code: 'DOMAIN_TAKEN' });
    expect(await wholeChain(alone.service.context.pool)).toHaveLength(31);
  });

  test('finds out when it is not: another process moved the head, or the database has gone back', async () => {
    const one = await service();
    const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
    const two = await service(shared, { databaseUrl: one.databaseUrl });
    const { pool } = one.service.context;
    for (let round = 0; round < 3; round++) {
      expect(await createMany(one, 4)).toEqual([201, 201, 201, 201]);
      expect(await createMany(two, 1)).toEqual([201]);
    }
    expect(await wholeChain(pool)).toHaveLength(15);

    expect(await createMany(one, 3)).toEqual([201, 201, 201]);
    expect(await createMany(two, 1)).toEqual([201]);
    const charge = vi.fn(async () => null);
    const person = newPerson();
    const body = person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
    await accept(one.service.context, createBEO, body, { charge });
    expect(charge).toHaveBeenCalledExactlyOnceWith(person.publicKey);

    expect(await createMany(one, 3)).toEqual([201, 201, 201]);
    await pool.query(`DELETE FROM ledger_entries WHERE seq = 23`);
    await pool.query(`UPDATE ledger_head SET (seq, id) = (SELECT seq, id FROM ledger_entries WHERE seq = 22)`);
    expect(await createMany(one, 2)).toEqual([201, 201]);
    expect((await wholeChain(pool)).map(({ seq }) => seq)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  });

  test('looks again when it stood still between looking and writing', async () => {
    let aheadMs = 0;
    const alone = await service({}, { clock: createClock(Date.now, () => aheadMs) });
    expect(await createMany(alone, 3)).toEqual([201, 201, 201]);
    const person = newPerson();
    const body = person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
    const charge = vi.fn(async () => {
      aheadMs = 6_000;
      return null;
    });
    const begun = Date.now();
    const answer = await accept(alone.service.context, createBEO, body, { charge });
    const { entry } = openReceipt(answer.body.receipt as string);
    expect(Date.parse(entry.accepted_at) - begun).toBeGreaterThanOrEqual(6_000);
    expect(charge).toHaveBeenCalledTimes(1);
    await wholeChain(alone.service.context.pool);
  });

  test('looks again before it refuses, too, where another process moved the head meanwhile', async () => {
    const one = await service();
    const two = await service({ DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl }, { databaseUrl: one.databaseUrl });
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    const { beo_id: beoId } = (await one.post('/api/relayer/beo', person.sign('createBEO', fields))).body;
    expect((await one.post('/api/relayer/beo/lock', person.sign('lockBEO', { beoId }))).status).toBe(200);
    expect(await createMany(one, 2)).toEqual([201, 201]);
    const locksBefore = one.locks.mock.calls.length;
    const charge = vi.fn(async () => {
      const unlocked = await two.post('/api/relayer/beo/unlock', person.sign('unlockBEO', { beoId }));
      expect(unlocked.status).toBe(200);
      return null;
    });
    const answer = await accept(one.service.context, lockBEO, person.sign('lockBEO', { beoId }), { charge });
    expect(answer.body).toHaveProperty('locked_at');
    expect(charge).toHaveBeenCalledTimes(1);
    expect(one.locks.mock.calls.length - locksBefore).toBe(1);
    await wholeChain(one.service.context.pool);
  });
});

test('a batch that a deadlock ended within its transaction is tried again on another connection', async () => {
  const one = await service();
  // Only a superuser may look for deadlocks later than others do.
  const another = new pg.Client({ connectionString: adminUrlOf(one.databaseUrl) });
  await another.connect();
  onTestFinished(() => another.end());
  // Whoever looks for a deadlock first ends itself: after a second the batch, and not this one.
  await another.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'; LOCK TABLE names IN ACCESS EXCLUSIVE MODE`);
  const created = create(one);
  const { pool } = one.service.context;
  const isWaiting = `SELECT FROM pg_locks AS held JOIN pg_locks AS awaited USING (pid)
    WHERE held.relation = 'ledger_head'::regclass AND awaited.relation = 'names'::regclass AND NOT awaited.granted`;
  await vi.waitUntil(async () => (await pool.query(isWaiting)).rowCount === 1, { timeout: 60_000, interval: 5 });
  await another.query('SELECT FROM ledger_head FOR UPDATE');
  await another.query('ROLLBACK');
  expect((await created).status).toBe(201);
  expect(await wholeChain(pool)).toHaveLength(1);
});
