import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { type Answer, startBeside, startTestService, type TestService } from '../../testing/test-service.ts';
import { submitAsOneBatch, tally } from '../../write/test-races.ts';
import {
  type ConsentParties,
  EVERYTHING,
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
  measurements,
} from './test-exchange.ts';

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
let exchange: Exchange;
let secondExchange: Exchange;
beforeAll(async () => {
  first = await startTestService();
  second = await startBeside(first);
  exchange = exchangeOf(first);
  secondExchange = exchangeOf(second);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Sends twenty concurrent requests, through both processes in turn. */
const twentyConcurrent = (send: (index: number, through: Exchange) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => send(index, index % 2 ? exchange : secondExchange)));
const correction = (supersedes: string, value = 1) => measurement({ supersedes, value });
const NOT_FOUND = 'is not a record of this person and institution';

async function submitOne(use: ConsentParties, more = {}): Promise<string> {
  const { record_ids } = await exchange.submitted(use, [measurement(more)]);
  return record_ids[0];
}

describe('a correction', () => {
  test('supersedes the record, which stays readable as superseded and in an export', async () => {
    const use = await exchange.newConsent();
    const first = await submitOne(use, { value: '1.50' });
    const { record_ids } = await exchange.submitted(use, [correction(first, 2), measurement({ value: 3 })]);
    const { records, total } = await exchange.page(use);
    expect(total).toBe(2);
    expect(records.map(({ record_id }: { record_id: string }) => record_id).toSorted()).toEqual(record_ids.toSorted());
    const corrected = records.find(({ value }: { value: unknown }) => value === 2);
    expect(corrected).toMatchObject({ supersedes: first, status: 'ACTIVE' });
    const superseded = await exchange.page(use, { status: 'SUPERSEDED' });
    expect(superseded.total).toBe(1);
    expect(superseded.records[0]).toMatchObject({ record_id: first, status: 'SUPERSEDED', value: '1.50' });
    const exported = JSON.parse(await exchange.exported(use, 'JSON')).records;
    expect(exported.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'ACTIVE',
      'ACTIVE',
      'SUPERSEDED',
    ]);
  });

  test('may name the record in upper case, and may itself be corrected', async () => {
    const use = await exchange.newConsent();
    let last = await submitOne(use);
    for (const value of [1, 2, 3, 4, 5]) {
      last = (await exchange.submitted(use, [correction(value % 2 ? last.toUpperCase() : last, value)])).record_ids[0];
    }
    expect((await exchange.page(use)).records.map(({ value }: { value: number }) => value)).toEqual([5]);
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(5);
  });

  test('may use another token of the same institution', async () => {
    const use = await exchange.newConsent();
    const id = await submitOne(use);
    const { tokenId } = await exchange.newConsent({ ...EVERYTHING, max_records: 5 }, use);
    await exchange.submitted({ ...use, tokenId }, [correction(id)]);
    expect((await exchange.page(use)).total).toBe(1);
  });

  test('is refused for an unknown, foreign, different or superseded record, with its index', async () => {
    const use = await exchange.newConsent();
    const [active, corrected, correctedTwice] = [await submitOne(use), await submitOne(use), await submitOne(use)];
    await exchange.submitted(use, [correction(corrected)]);
    const otherHolder = await exchange.newConsent(EVERYTHING, { by: use.by });
    const otherClinic = await exchange.newConsent(EVERYTHING, { holder: use.holder });
    const foreign = [await submitOne(otherHolder), await submitOne(otherClinic)];
    const before = await exchange.page(use, { limit: 200 });
    const records = [
      measurement(),
      correction(randomUUID()),
      correction(foreign[0] ?? ''),
      correction(foreign[1] ?? ''),
      measurement({ biomarker: 'BSP-CV-002', supersedes: active }),
      correction(corrected),
      correction(correctedTwice),
      correction(correctedTwice.toUpperCase()),
    ];
    const answer = await exchange.submit(use, records);
    expectInvalid(answer, records.length, [
      { index: 1, path: 'supersedes', message: NOT_FOUND },
      { index: 2, path: 'supersedes', message: NOT_FOUND },
      { index: 3, path: 'supersedes', message: NOT_FOUND },
      { index: 4, path: 'supersedes', message: 'is a record of another biomarker, BSP-CV-001' },
      { index: 5, path: 'supersedes', message: 'has already been corrected' },
      { index: 7, path: 'supersedes', message: 'is corrected twice in this batch' },
    ]);
    const after = await exchange.page(use, { limit: 200 });
    expect(after.records).toEqual(before.records);
    expect((await exchange.page(otherHolder)).total).toBe(1);
  });

  test('of one record is accepted once among twenty concurrent ones', async () => {
    const use = await exchange.newConsent();
    const id = await submitOne(use);
    const answers = await twentyConcurrent((index, through) => through.submit(use, [correction(id, index)]));
    expect(tally(answers)).toEqual({ 201: 1, RECORD_INVALID: 19 });
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectInvalid(answer, 1, [{ index: 0, path: 'supersedes', message: 'has already been corrected' }]);
    }
    expect((await exchange.page(use)).total).toBe(1);
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(1);
    await wholeChain(first.service.context.pool);
  });

  test('of one record is accepted once when all are ordered in one batch', async () => {
    const use = await exchange.newConsent();
    const id = await submitOne(use);
    const requests = [0, 1, 2, 3, 4].map((value) => () => exchange.submit(use, [correction(id, value)]));
    expect(tally(await submitAsOneBatch(first, requests))).toEqual({ 201: 1, RECORD_INVALID: 4 });
    expect((await exchange.page(use)).total).toBe(1);
  });

  test('is counted correctly for every filter', async () => {
    const use = await exchange.newConsent();
    const { record_ids } = await exchange.submitted(
      use,
      measurements(100, (index) => ({ biomarker: index % 2 ? 'BSP-CV-001' : 'BSP-LA-001' })),
    );
    const corrections = record_ids
      .slice(0, 30)
      .map((supersedes: string, index: number) =>
        measurement({ supersedes, biomarker: index % 2 ? 'BSP-CV-001' : 'BSP-LA-001', value: index }),
      );
    await exchange.submitted(use, corrections);
    const totals = async (filters: Record<string, string>) => (await exchange.page(use, filters)).total;
    expect(await totals({})).toBe(100);
    expect(await totals({ status: 'SUPERSEDED' })).toBe(30);
    expect(await totals({ biomarkers: 'BSP-LA-001' })).toBe(50);
    expect(await totals({ categories: 'BSP-CV', status: 'SUPERSEDED' })).toBe(15);
    expect(await totals({ status: 'SUPERSEDED', from: '2026-03-04T00:10:00Z' })).toBe(20);
    expect(await totals({ status: 'SUPERSEDED', to: '2026-03-04T00:09:00Z' })).toBe(10);
  });
});

describe('the number of records that a consent allows', () => {
  const limited = (max_records: number) => exchange.newConsent({ ...EVERYTHING, max_records });

  test('applies to all batches together, and a batch that exceeds it is refused as a whole', async () => {
    const use = await limited(5);
    await exchange.submitted(use, measurements(3));
    const answer = await exchange.submit(use, measurements(3));
    expectRefusal(answer, 'RECORD_LIMIT_REACHED');
    expect(answer.body.details).toEqual({ max_records: 5, submitted: 3 });
    await exchange.submitted(use, measurements(2));
    expectRefusal(await exchange.submit(use, measurements(1)), 'RECORD_LIMIT_REACHED');
    const anotherToken = await exchange.newConsent({ ...EVERYTHING, max_records: 7 }, use);
    await exchange.submitted(anotherToken, measurements(7));
  });

  test('counts corrections too', async () => {
    const use = await limited(2);
    const id = await submitOne(use);
    await exchange.submitted(use, [correction(id)]);
    expectRefusal(await exchange.submit(use, measurements(1)), 'RECORD_LIMIT_REACHED');
  });

  test('is enforced for twenty concurrent requests', async () => {
    const use = await limited(10);
    const answers = await twentyConcurrent((_, through) => through.submit(use, measurements(3)));
    expect(tally(answers)).toEqual({ 201: 3, RECORD_LIMIT_REACHED: 17 });
    const unlimited = await exchange.newConsent(EVERYTHING, use);
    expect((await exchange.page(unlimited)).total).toBe(9);
    await wholeChain(first.service.context.pool);
  });
});
