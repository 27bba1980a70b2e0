import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, startTestService, type TestService } from '../test-service.ts';
import { submitAsOneBatch, tally } from '../write/test-races.ts';
import {
  EVERYTHING,
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
  measurements,
  type Relation,
} from './test-exchange.ts';

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
let exchange: Exchange;
let throughTwo: Exchange;
beforeAll(async () => {
  one = await startTestService();
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = await startTestService(shared, { databaseUrl: one.databaseUrl });
  exchange = exchangeOf(one);
  throughTwo = exchangeOf(two);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const TWENTY = Array.from({ length: 20 }, (_, index) => index);
const atOnce = (ask: (index: number, through: Exchange) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(TWENTY.map((index) => ask(index, index % 2 ? exchange : throughTwo)));
const correction = (supersedes: string, value = 1) => measurement({ supersedes, value });
const NOT_THEIRS = 'is not a record of this person and institution';

async function submittedOne(use: Relation, more = {}): Promise<string> {
  const { record_ids } = await exchange.submitted(use, [measurement(more)]);
  return record_ids[0];
}

describe('a correction', () => {
  test('supersedes the record, which stays readable as superseded and in an export', async () => {
    const use = await exchange.related();
    const first = await submittedOne(use, { value: '1.50' });
    const { record_ids } = await exchange.submitted(use, [correction(first, 2), measurement({ value: 3 })]);
    const { records, total } = await exchange.page(use);
    expect(total).toBe(2);
    expect(records.map(({ record_id }: { record_id: string }) => record_id).toSorted()).toEqual(record_ids.toSorted());
    const corrected = records.find(({ value }: { value: unknown }) => value === 2);
    expect(corrected).toMatchObject({ supersedes: first, status: 'ACTIVE' });
    const superseded = await exchange.page(use, { status: 'SUPERSEDED' });
    expect(superseded.total).toBe(1);
    expect(superseded.records[0]).toMatchObject({ record_id: first, status: 'SUPERSEDED', value: '1.50' });
    const exported = JSON.parse(await exchange.taken(use, 'JSON')).records;
    expect(exported.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'ACTIVE',
      'ACTIVE',
      'SUPERSEDED',
    ]);
  });

  test('may name the record in capitals, and may be corrected in turn', async () => {
    const use = await exchange.related();
    let last = await submittedOne(use);
    for (const value of [1, 2, 3, 4, 5]) {
      last = (await exchange.submitted(use, [correction(value % 2 ? last.toUpperCase() : last, value)])).record_ids[0];
    }
    expect((await exchange.page(use)).records.map(({ value }: { value: number }) => value)).toEqual([5]);
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(5);
  });

  test('may come under another token of the same institution, and after its domain was its id', async () => {
    const use = await exchange.related();
    const first = await submittedOne(use);
    const { tokenId } = await exchange.related({ ...EVERYTHING, max_records: 5 }, use);
    await exchange.submitted({ ...use, tokenId }, [correction(first)]);
    expect((await exchange.page(use)).total).toBe(1);
  });

  test('is refused for an unknown, foreign, different or superseded record, with its index', async () => {
    const use = await exchange.related();
    const [first, second, third] = [await submittedOne(use), await submittedOne(use), await submittedOne(use)];
    await exchange.submitted(use, [correction(second)]);
    const otherHolder = await exchange.related(EVERYTHING, { by: use.by });
    const otherClinic = await exchange.related(EVERYTHING, { holder: use.holder });
    const elsewhere = [await submittedOne(otherHolder), await submittedOne(otherClinic)];
    const before = await exchange.page(use, { limit: 200 });
    const records = [
      measurement(),
      correction(randomUUID()),
      correction(elsewhere[0] ?? ''),
      correction(elsewhere[1] ?? ''),
      measurement({ biomarker: 'BSP-CV-002', supersedes: first }),
      correction(second),
      correction(third),
      correction(third.toUpperCase()),
    ];
    const answer = await exchange.submit(use, records);
    expectInvalid(answer, records.length, [
      { index: 1, path: 'supersedes', message: NOT_THEIRS },
      { index: 2, path: 'supersedes', message: NOT_THEIRS },
      { index: 3, path: 'supersedes', message: NOT_THEIRS },
      { index: 4, path: 'supersedes', message: 'is a record of another biomarker, BSP-CV-001' },
      { index: 5, path: 'supersedes', message: 'has already been corrected' },
      { index: 7, path: 'supersedes', message: 'is corrected twice in this batch' },
    ]);
    const after = await exchange.page(use, { limit: 200 });
    expect(after.records).toEqual(before.records);
    expect((await exchange.page(otherHolder)).total).toBe(1);
  });

  test('of one record by twenty at once is accepted once', async () => {
    const use = await exchange.related();
    const first = await submittedOne(use);
    const answers = await atOnce((index, through) => through.submit(use, [correction(first, index)]));
    expect(tally(answers)).toEqual({ 201: 1, RECORD_INVALID: 19 });
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectInvalid(answer, 1, [{ index: 0, path: 'supersedes', message: 'has already been corrected' }]);
    }
    expect((await exchange.page(use)).total).toBe(1);
    expect((await exchange.page(use, { status: 'SUPERSEDED' })).total).toBe(1);
    await wholeChain(one.service.context.pool);
  });

  test('of one record is accepted once in one batch', async () => {
    const use = await exchange.related();
    const first = await submittedOne(use);
    const asks = [0, 1, 2, 3, 4].map((value) => () => exchange.submit(use, [correction(first, value)]));
    expect(tally(await submitAsOneBatch(one, asks))).toEqual({ 201: 1, RECORD_INVALID: 4 });
    expect((await exchange.page(use)).total).toBe(1);
  });

  test('is counted correctly for every filter', async () => {
    const use = await exchange.related();
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

describe('the most records that a consent allows', () => {
  const limited = (max_records: number) => exchange.related({ ...EVERYTHING, max_records });

  test('are counted over all batches, and a batch beyond them is refused as a whole', async () => {
    const use = await limited(5);
    await exchange.submitted(use, measurements(3));
    const answer = await exchange.submit(use, measurements(3));
    expectRefusal(answer, 'RECORD_LIMIT_REACHED');
    expect(answer.body.details).toEqual({ max_records: 5, submitted: 3 });
    await exchange.submitted(use, measurements(2));
    expectRefusal(await exchange.submit(use, measurements(1)), 'RECORD_LIMIT_REACHED');
    const counted = await exchange.related({ ...EVERYTHING, max_records: 7 }, use);
    await exchange.submitted(counted, measurements(7));
  });

  test('count corrections too', async () => {
    const use = await limited(2);
    const first = await submittedOne(use);
    await exchange.submitted(use, [correction(first)]);
    expectRefusal(await exchange.submit(use, measurements(1)), 'RECORD_LIMIT_REACHED');
  });

  test('are enforced for twenty requests at once', async () => {
    const use = await limited(10);
    const answers = await atOnce((_, through) => through.submit(use, measurements(3)));
    expect(tally(answers)).toEqual({ 201: 3, RECORD_LIMIT_REACHED: 17 });
    const free = await exchange.related(EVERYTHING, use);
    expect((await exchange.page(free)).total).toBe(9);
    await wholeChain(one.service.context.pool);
  });
});
