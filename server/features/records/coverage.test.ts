import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import {
  type ConsentParties,
  EVERYTHING,
  type Exchange,
  exchangeOf,
  measurement,
  measurements,
} from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
/** A consent with sixty records, of six codes in turn, a minute apart. */
let all: ConsentParties;
const CODES = ['BSP-CV-001', 'BSP-CV-002', 'BSP-LA-001', 'BSP-HM-002', 'BSP-DV-001', 'BSP-TX-001'];
const at = (index: number) => new Date(Date.UTC(2026, 2, 4) + index * 60_000).toISOString();
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  all = await exchange.newConsent();
  await exchange.submitted(
    all,
    measurements(60, (index) => ({ biomarker: CODES[index % 6] ?? '' })),
  );
});
afterAll(() => service.stop());

/** A narrower consent of the same holder to the same institution. */
const narrowed = (scope: Record<string, Json>): Promise<ConsentParties> =>
  exchange.newConsent({ ...EVERYTHING, ...scope } as Json, all);

const valuesOf = ({ records }: { records: { value: number }[] }) => records.map(({ value }) => value);
const newestFirst = (wanted: (index: number) => boolean) =>
  Array.from({ length: 60 }, (_, index) => 59 - index).filter(wanted);
const exported = async (use: ConsentParties): Promise<number[]> => {
  const { records, record_count } = JSON.parse(await exchange.exported(use, 'JSON'));
  expect(record_count).toBe(records.length);
  return valuesOf({ records });
};

function expectOutOfScope(answer: Answer, details: object): void {
  expectRefusal(answer, 'CATEGORY_NOT_AUTHORIZED');
  expect(answer.body.details).toEqual(details);
}

describe('a consent for some categories', () => {
  test('allows reading, exporting and submitting only these', async () => {
    const use = await narrowed({ categories: ['BSP-CV', 'BSP-DV'] });
    const covered = newestFirst((index) => [0, 1, 4].includes(index % 6));
    const page = await exchange.page(use);
    expect([valuesOf(page), page.total]).toEqual([covered, 30]);
    expect(await exported(use)).toEqual(covered);
    expect((await exchange.page(use, { categories: 'BSP-DV' })).total).toBe(10);
    expect((await exchange.page(use, { levels: 'CORE' })).total).toBe(20);
    expect(await exchange.page(use, { levels: 'STANDARD' })).toMatchObject({ total: 0, records: [] });
    for (const filters of [
      { categories: 'BSP-LA' },
      { categories: 'BSP-CV,BSP-LA' },
      { biomarkers: 'BSP-LA-001' },
      { biomarkers: 'BSP-CV-001,BSP-LA-001' },
      { categories: 'BSP-CV', biomarkers: 'BSP-LA-001' },
    ]) {
      expectOutOfScope(await exchange.read(use, filters), { category: 'BSP-LA' });
    }
    const batch = [measurement(), measurement({ biomarker: 'BSP-LA-001' })];
    expectOutOfScope(await exchange.submit(use, batch), { category: 'BSP-LA' });
    expect((await exchange.page(all)).total).toBe(60);
  });
});

describe('a consent for some levels', () => {
  test('allows reading, exporting and submitting only these', async () => {
    const use = await narrowed({ levels: ['STANDARD', 'DEVICE'] });
    const covered = newestFirst((index) => [3, 4].includes(index % 6));
    const page = await exchange.page(use);
    expect([valuesOf(page), page.total]).toEqual([covered, 20]);
    expect(await exported(use)).toEqual(covered);
    expectOutOfScope(await exchange.read(use, { categories: 'BSP-CV' }), { category: 'BSP-CV' });
    expect(await exchange.page(use, { levels: 'CORE' })).toMatchObject({ total: 0 });
    expectOutOfScope(await exchange.submit(use, [measurement()]), { level: 'CORE' });
    const core = await narrowed({ levels: ['CORE'], categories: ['BSP-CV', 'BSP-HM'] });
    expect((await exchange.page(core)).total).toBe(20);
    expectOutOfScope(await exchange.read(core, { categories: 'BSP-HM' }), { category: 'BSP-HM' });
  });
});

describe('a consent for a period', () => {
  test('allows reading and exporting the period, both ends included, and refuses a longer one', async () => {
    const period = { from: at(10), to: at(19) };
    const use = await narrowed({ period });
    const covered = newestFirst((index) => index >= 10 && index <= 19);
    const page = await exchange.page(use);
    expect([valuesOf(page), page.total, page.has_more]).toEqual([covered, 10, false]);
    expect(await exported(use)).toEqual(covered);
    expect(valuesOf(await exchange.page(use, { from: at(10), to: at(12) }))).toEqual([12, 11, 10]);
    expect(await exchange.page(use, { to: at(5) })).toMatchObject({ total: 0, records: [] });
    expect(await exchange.page(use, { from: at(30) })).toMatchObject({ total: 0, records: [] });
    for (const filters of [{ from: at(9) }, { to: at(20) }, { from: at(0), to: at(59) }]) {
      const answer = await exchange.read(use, filters);
      expectRefusal(answer, 'PERIOD_NOT_AUTHORIZED');
      expect(answer.body.details).toEqual({ period });
    }
  });

  test('may have only one end', async () => {
    const [since, until] = [await narrowed({ period: { from: at(50) } }), await narrowed({ period: { to: at(9) } })];
    expect((await exchange.page(since)).total).toBe(10);
    expect((await exchange.page(since, { to: '2030-01-01T00:00:00Z' })).total).toBe(10);
    expect((await exchange.page(until)).total).toBe(10);
    expect((await exchange.page(until, { from: '1990-01-01T00:00:00Z' })).total).toBe(10);
    expectRefusal(await exchange.read(since, { from: '1990-01-01T00:00:00Z' }), 'PERIOD_NOT_AUTHORIZED');
  });

  test('refuses submissions outside it', async () => {
    const use = await exchange.newConsent({ ...EVERYTHING, period: { from: at(10), to: at(19) } });
    for (const index of [9, 20]) {
      const batch = [measurement({ collected_at: at(15) }), measurement({ collected_at: at(index) })];
      expectRefusal(await exchange.submit(use, batch), 'PERIOD_NOT_AUTHORIZED');
    }
    await exchange.submitted(use, [measurement({ collected_at: at(10) }), measurement({ collected_at: at(19) })]);
    expect((await exchange.page(use)).total).toBe(2);
  });

  test('contains a day if it contains its noon in UTC, in whatever zone the holder chose the days', async () => {
    const period = { from: '2026-03-02T03:00:00.000Z', to: '2026-03-05T02:59:59.999Z' };
    const use = await exchange.newConsent({ ...EVERYTHING, period });
    for (const day of ['2026-03-01', '2026-03-05'])
      expectRefusal(await exchange.submit(use, [measurement({ collected_at: day })]), 'PERIOD_NOT_AUTHORIZED');
    await exchange.submitted(use, [
      measurement({ collected_at: '2026-03-02' }),
      measurement({ collected_at: '2026-03-04' }),
    ]);
    const { records, total } = await exchange.page(use);
    expect([total, records.map(({ collected_at }: { collected_at: string }) => collected_at)]).toEqual([
      2,
      ['2026-03-04', '2026-03-02'],
    ]);
  });

  test.each(['0000-01-01T00:00:00Z', '0050-01-01T00:00:00Z'])(
    'with a beginning before the year 1000 does not cause an internal error: %s',
    async (from) => {
      const answer = await exchange.parties.grant(all.holder, all.by.id, { ...EVERYTHING, period: { from } });
      expect([201, 400]).toContain(answer.status);
      if (answer.status === 400) return;
      const use = { ...all, tokenId: answer.body.token.token_id };
      expect((await exchange.page(use)).total).toBe(60);
      expect(await exported(use)).toHaveLength(60);
    },
  );
});

describe('a consent with a maximum number of records', () => {
  test('covers only the newest records, whatever the filters', async () => {
    const use = await narrowed({ max_records: 12 });
    const page = await exchange.page(use);
    expect([valuesOf(page), page.total, page.has_more]).toEqual([newestFirst((index) => index > 47), 12, false]);
    expect(await exported(use)).toEqual(newestFirst((index) => index > 47));
    const seen = new Set<number>();
    const filters = [
      {},
      { categories: 'BSP-LA' },
      { biomarkers: 'BSP-CV-001' },
      { levels: 'CORE' },
      { to: at(50) },
      { to: at(20) },
      { from: at(0), to: at(10) },
      { offset: 5 },
      { offset: 12 },
      { status: 'SUPERSEDED' },
      { limit: 1 },
    ];
    for (const filter of filters) {
      const { records, total } = await exchange.page(use, filter);
      for (const value of valuesOf({ records })) seen.add(value);
      expect(total).toBeLessThanOrEqual(12);
    }
    expect([...seen].toSorted((a, b) => b - a)).toEqual(newestFirst((index) => index > 47));
    expect(valuesOf(await exchange.page(use, { categories: 'BSP-LA' }))).toEqual([56, 50]);
    expect(await exchange.page(use, { to: at(20) })).toMatchObject({ total: 0, records: [], has_more: false });
  });

  test('counts only records in its scope', async () => {
    const use = await narrowed({ max_records: 3, categories: ['BSP-LA'], period: { from: null, to: at(30) } });
    expect(valuesOf(await exchange.page(use))).toEqual([26, 20, 14]);
    expect(await exported(use)).toEqual([26, 20, 14]);
    expect((await exchange.page(use, { from: at(20) })).total).toBe(2);
    expect((await exchange.page(use, { to: at(10) })).total).toBe(0);
  });

  test('counts superseded records, so that corrections do not reveal older ones', async () => {
    const use = await exchange.newConsent();
    const { record_ids } = await exchange.submitted(use, measurements(6));
    const limited = await exchange.newConsent({ ...EVERYTHING, max_records: 4 }, use);
    const supersedes = record_ids[5];
    await exchange.submitted(use, [measurement({ supersedes, value: 100, collected_at: at(5) })]);
    const [active, superseded] = [await exchange.page(limited), await exchange.page(limited, { status: 'SUPERSEDED' })];
    expect([...valuesOf(active), ...valuesOf(superseded)]).toEqual([100, 4, 3, 5]);
    expect([active.total, superseded.total]).toEqual([3, 1]);
    expect(await exported(limited)).toEqual([100, 5, 4, 3]);
  });

  test('larger than the number of records covers all', async () => {
    const use = await narrowed({ max_records: 1_000_000_000 });
    expect((await exchange.page(use)).total).toBe(60);
    expect(await exported(use)).toHaveLength(60);
  });
});

describe('a wearable', () => {
  test('submits only device data and cannot read', async () => {
    const by = await exchange.parties.newInstitution({ ieoType: 'WEARABLE' });
    const use = await exchange.newConsent({ intents: ['SUBMIT_RECORD', 'EXPORT_DATA'], categories: ['*'] }, { by });
    await exchange.submitted(use, [measurement({ biomarker: 'BSP-DV-001' })]);
    expectOutOfScope(await exchange.submit(use, [measurement()]), { category: 'BSP-CV' });
    expectRefusal(await exchange.read(use), 'INTENT_NOT_AUTHORIZED');
    const clinic = await exchange.newConsent(EVERYTHING, { holder: use.holder });
    await exchange.submitted(clinic, [measurement()]);
    const { records } = JSON.parse(await exchange.exported(use, 'JSON'));
    expect(records.map(({ category }: { category: string }) => category)).toEqual(['BSP-DV']);
  });
});

describe('a platform and an insurer', () => {
  test('read and export; the insurer also submits, under a consent that expires', async () => {
    const platform = await exchange.parties.newInstitution({ ieoType: 'PLATFORM' });
    const reading = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] };
    const use = await exchange.newConsent(reading, { holder: all.holder, by: platform });
    expect((await exchange.page(use)).total).toBe(60);
    expect(await exported(use)).toHaveLength(60);
    expectRefusal(await exchange.submit(use, [measurement()]), 'INTENT_NOT_AUTHORIZED');
    const insurer = await exchange.parties.newInstitution({ ieoType: 'INSURER' });
    expectRefusal(await exchange.parties.grant(all.holder, insurer.id, EVERYTHING), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const expiring = await exchange.newConsent(EVERYTHING, { by: insurer, expiresInDays: 1 });
    await exchange.submitted(expiring, [measurement()]);
    expect((await exchange.page(expiring)).total).toBe(1);
  });
});
