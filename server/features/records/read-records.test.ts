import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields } from '../../write/test-parties.ts';
import {
  type ConsentParties,
  DAY,
  EVERYTHING,
  type Exchange,
  exchangeOf,
  measurement,
  measurements,
  OWN,
  SUBMIT,
} from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
let use: ConsentParties;

const CODES = ['BSP-CV-001', 'BSP-CV-002', 'BSP-LA-001', 'BSP-HM-002', 'BSP-DV-001', 'BSP-TX-001'];
const at = (index: number) => new Date(Date.UTC(2026, 2, 4) + index * 60_000).toISOString();

/** The values of 240 records, of six codes in turn, a minute apart; of the first sixty, every sixth is corrected. */
let values: readonly number[];
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.newConsent();
  const sent = measurements(240, (index) => ({ biomarker: CODES[index % 6] ?? '' }));
  const ids: string[] = [];
  for (let from = 0; from < 240; from += 80) {
    ids.push(...(await exchange.submitted(use, sent.slice(from, from + 80))).record_ids);
  }
  const corrections = [0, 6, 12, 18, 24, 30, 36, 42, 48, 54].map((index) =>
    measurement({
      biomarker: 'BSP-CV-001',
      value: 1_000 + index,
      supersedes: ids[index] ?? '',
      collected_at: at(index),
    }),
  );
  await exchange.submitted(use, corrections);
  values = sent.map((_, index) => (index < 60 && index % 6 === 0 ? 1_000 + index : index)).toReversed();
});
afterAll(() => service.stop());

type Filters = Record<string, string | number>;
const valuesOf = ({ records }: { records: { value: number }[] }) => records.map(({ value }) => value);
const original = (value: number) => value % 1_000;
const valuesWhere = (wanted: (index: number) => boolean) => values.filter((value) => wanted(original(value)));

async function everyPage(filters: Filters, limit = 37): Promise<number[]> {
  const all: number[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await exchange.page(use, { ...filters, limit, offset });
    all.push(...valuesOf(page));
    expect(page.has_more).toBe(all.length < page.total);
    if (!page.has_more) {
      expect(page.total).toBe(all.length);
      return all;
    }
  }
}

describe('a read', () => {
  test('returns the newest page, the total and whether there are more', async () => {
    const { status, headers, body } = await exchange.read(use);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['request_id', 'beo_id', 'records', 'total', 'has_more']);
    expect(body).toMatchObject({ beo_id: use.holder.id, total: 240, has_more: true });
    expect(body.request_id).toBe(headers.get('x-request-id'));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(valuesOf(body)).toEqual(values.slice(0, 100));
  });

  test('returns no records for a person without any', async () => {
    const unused = await exchange.newConsent();
    const { request_id: _, ...page } = await exchange.page(unused);
    expect(page).toEqual({ beo_id: unused.holder.id, records: [], total: 0, has_more: false });
  });

  test.each<[string, Filters, (index: number) => boolean]>([
    ['nothing', {}, () => true],
    ['a category', { categories: 'BSP-CV' }, (index) => index % 6 < 2],
    ['categories', { categories: 'BSP-CV,BSP-DV' }, (index) => index % 6 < 2 || index % 6 === 4],
    ['a repeated category', { categories: 'BSP-TX, BSP-TX' }, (index) => index % 6 === 5],
    ['a biomarker', { biomarkers: 'BSP-HM-002' }, (index) => index % 6 === 3],
    ['biomarkers', { biomarkers: 'BSP-CV-001,BSP-LA-001' }, (index) => index % 6 === 0 || index % 6 === 2],
    ['a biomarker without records', { biomarkers: 'BSP-CV-777' }, () => false],
    ['a level', { levels: 'CORE' }, (index) => index % 6 < 3],
    ['levels', { levels: 'STANDARD,DEVICE' }, (index) => index % 6 === 3 || index % 6 === 4],
    ['a beginning', { from: at(200) }, (index) => index >= 200],
    ['an end', { to: at(10) }, (index) => index <= 10],
    ['a beginning and an end', { from: at(30), to: at(90) }, (index) => index >= 30 && index <= 90],
    [
      'a moment in another time zone',
      { from: '2026-03-04T02:05:00+02:00', to: '2026-03-04T00:05:00.000Z' },
      (i) => i === 5,
    ],
    ['an end before the beginning', { from: at(90), to: at(30) }, () => false],
    ['a category and a level', { categories: 'BSP-CV,BSP-HM', levels: 'STANDARD' }, (index) => index % 6 === 3],
    ['a category and another level', { categories: 'BSP-CV', levels: 'DEVICE' }, () => false],
    ['a category and a biomarker of another', { categories: 'BSP-CV', biomarkers: 'BSP-LA-001' }, () => false],
    [
      'all filters together',
      {
        categories: 'BSP-CV,BSP-LA',
        biomarkers: 'BSP-CV-002,BSP-LA-001',
        levels: 'CORE',
        from: at(60),
        status: 'ACTIVE',
      },
      (index) => index >= 60 && (index % 6 === 1 || index % 6 === 2),
    ],
  ])('filtered by %s returns all matching records, page by page, and counts them', async (_, filters, wanted) => {
    expect(await everyPage(filters)).toEqual(valuesWhere(wanted));
  });

  test('filtered by SUPERSEDED returns only superseded records', async () => {
    const old = valuesWhere((index) => index < 60 && index % 6 === 0).map(original);
    expect(await everyPage({ status: 'SUPERSEDED' }, 3)).toEqual(old);
    expect(await everyPage({ status: 'SUPERSEDED', to: at(12) }, 2)).toEqual([12, 6, 0]);
    expect(await everyPage({ status: 'SUPERSEDED', categories: 'BSP-LA' })).toEqual([]);
  });

  test('returns pages of 1 to 200 records, and an empty page beyond the end', async () => {
    expect(await everyPage({ from: at(231) }, 1)).toEqual(values.slice(0, 9));
    expect(await everyPage({}, 200)).toEqual(values);
    const beyond = await exchange.page(use, { offset: 240 });
    expect(beyond).toMatchObject({ records: [], total: 240, has_more: false });
    expect(await exchange.page(use, { offset: 1_000_000_000 })).toMatchObject({ records: [], total: 240 });
  });

  test('of records with the same collection time has the last submitted first, and pages miss none', async () => {
    const consent = await exchange.newConsent();
    const sent = measurements(60, () => ({ collected_at: at(0) }));
    for (const from of [0, 20, 40]) await exchange.submitted(consent, sent.slice(from, from + 20));
    const all: number[] = [];
    for (let offset = 0; offset < 60; offset += 7) {
      all.push(...valuesOf(await exchange.page(consent, { limit: 7, offset })));
    }
    expect(all).toEqual(sent.map(({ value }) => value).toReversed());
  });
});

describe('a filter', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'BSP-CV-001').join(',');

  test('may name two hundred values', async () => {
    expect((await exchange.page(use, { biomarkers: many(200) })).total).toBe(40);
  });

  test('that is empty is ignored', async () => {
    const empty = { categories: '', biomarkers: '', levels: '', status: '', from: '', to: '', limit: '', offset: '' };
    const [{ records, total }, whole] = [await exchange.page(use, empty), await exchange.page(use)];
    expect([records.length, total]).toEqual([100, 240]);
    expect(records).toEqual(whole.records);
  });

  test.each(['201', '1000', '99999999999999999999'])('with the limit %s returns the largest page', async (limit) => {
    expect((await exchange.page(use, { limit })).records).toHaveLength(200);
  });

  test('by a date without a time covers the whole day', async () => {
    const day = (await exchange.page(use, { limit: 1 })).records[0].collected_at.slice(0, 10);
    const total = async (filters: Filters) => (await exchange.page(use, filters)).total;
    const [from, to] = [`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`];
    const within = await total({ from, to });
    expect(within).toBeGreaterThan(0);
    expect(await total({ from: day, to: day })).toBe(within);
    expect(await total({ to: day })).toBe(await total({ to }));
    expect(await total({ from: day })).toBe(await total({ from }));
  });

  test('by a day that the consent covers in part returns the covered part', async () => {
    const [newest] = (await exchange.page(use, { limit: 1 })).records;
    const day = newest.collected_at.slice(0, 10);
    const period = { from: `${day}T00:10:00Z`, to: `${day}T00:20:00Z` };
    const narrow = await exchange.newConsent({ ...EVERYTHING, period }, { holder: use.holder });
    expect((await exchange.page(narrow, { from: day, to: day })).total).toBe((await exchange.page(narrow)).total);
    const before = new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
    const after = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
    for (const filters of [{ from: before }, { to: after }, { from: `${day}T00:09:59Z` }, { to: `${day}T00:20:01Z` }]) {
      expectRefusal(await exchange.read(narrow, filters), 'PERIOD_NOT_AUTHORIZED');
    }
  });

  test.each<[string, Filters]>([
    ['categories', { categories: 'BSP-XX' }],
    ['categories', { categories: 'bsp-cv' }],
    ['categories', { categories: '*' }],
    ['categories', { categories: 'BSP-CV,,BSP-LA' }],
    ['categories', { categories: 'BSP-CV,' }],
    ['biomarkers', { biomarkers: 'BSP-XX-001' }],
    ['biomarkers', { biomarkers: 'BSP-CV' }],
    ['biomarkers', { biomarkers: ',' }],
    ['biomarkers', { biomarkers: Array.from({ length: 201 }, () => 'BSP-CV-001').join(',') }],
    ['levels', { levels: 'core' }],
    ['levels', { levels: 'CORE,ALL' }],
    ['status', { status: 'DELETED' }],
    ['status', { status: 'active' }],
    ['from', { from: '2026-02-30' }],
    ['from', { from: '0999-12-31' }],
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-02-30T00:00:00Z' }],
    ['to', { to: '2026-03-04T00:00:00' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: -1 }],
    ['limit', { limit: '1e2' }],
    ['offset', { offset: -1 }],
    ['offset', { offset: 1_000_000_001 }],
    ['offset', { offset: '0.5' }],
    ['format', { format: 'JSON' }],
    ['beoId', { beoId: 'x' }],
  ])('that is invalid is refused, not answered with an empty list: %s %j', async (name, filters) => {
    const answer = await exchange.read(use, filters);
    expectRefusal(answer, 'VALIDATION_FAILED');
    expect(answer.body.details.issues[0].path).toBe(name);
  });

  test.each(['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'by a time outside the supported years does not cause an internal error: %s',
    async (moment) => {
      for (const name of ['from', 'to']) {
        const { status } = await exchange.read(use, { [name]: moment });
        expect([200, 400]).toContain(status);
      }
    },
  );

  test('cannot be given twice', async () => {
    const url = `${exchange.query(exchange.signed(use, 'readRecords'), { limit: 1 })}&limit=2`;
    expectRefusal(await service.get(url), 'VALIDATION_FAILED');
  });
});

describe('the signed members of a read', () => {
  const HEADERS = {
    consentToken: 'x-consent-token',
    signature: 'x-signature',
    nonce: 'x-nonce',
    timestamp: 'x-timestamp',
  };
  type Signed = keyof typeof HEADERS;
  const names = Object.keys(HEADERS) as Signed[];

  function split(body: Fields, inHeaders: readonly Signed[]) {
    const headers = Object.fromEntries(inHeaders.map((name) => [HEADERS[name], String(body[name])]));
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !inHeaders.includes(name as Signed)));
    return service.get(exchange.query(rest, { limit: 1 }), headers);
  }

  test('may be in headers, in the query, or in both with equal values', async () => {
    const ways: Signed[][] = [[...names], ['signature'], ['nonce', 'timestamp'], ['consentToken']];
    for (const inHeaders of ways) {
      const { status, body } = await split(exchange.signed(use, 'readRecords'), inHeaders);
      expect([status, body.total]).toEqual([200, 240]);
    }
    const body = exchange.signed(use, 'readRecords');
    const twice = Object.fromEntries(names.map((name) => [HEADERS[name], String(body[name])]));
    expect((await service.get(exchange.query(body), twice)).status).toBe(200);
  });

  test.each(names)('are refused if header and query differ, without using the nonce: %s', async (name) => {
    const body = exchange.signed(use, 'readRecords');
    const answer = await service.get(exchange.query(body), { [HEADERS[name]]: `${body[name]}0` });
    expectRefusal(answer, 'VALIDATION_FAILED');
    expect(answer.body.details.issues[0].path).toBe(name);
    expect((await service.get(exchange.query(body))).status).toBe(200);
  });

  test('do not include the filters', async () => {
    const body = exchange.signed(use, 'readRecords');
    expect((await service.get(exchange.query(body, { categories: 'BSP-LA' }))).body.total).toBe(40);
  });

  test('make the signature invalid if filters were signed too', async () => {
    const body = exchange.signed(use, 'readRecords', { limit: '5' });
    expectRefusal(await service.get(exchange.query(body)), 'INVALID_SIGNATURE');
  });
});

describe('a self token', () => {
  test('reads and exports with the holder’s key', async () => {
    const own = await exchange.newSelfConsent(use.holder);
    expect((await exchange.page(own)).total).toBe(240);
    expect(JSON.parse(await exchange.exported(own, 'JSON')).records).toHaveLength(250);
    expectRefusal(await exchange.read({ ...own, by: use.by }), 'INVALID_SIGNATURE');
    const narrow = await exchange.newSelfConsent(use.holder, { ...OWN, categories: ['BSP-LA'] });
    expect((await exchange.page(narrow)).total).toBe(40);
  });
});

describe('the paths of the exchange', () => {
  test.each([
    [SUBMIT, 'POST, GET, HEAD, OPTIONS', ['PUT', 'PATCH', 'DELETE']],
    ['/api/exchange/export', 'POST, OPTIONS', ['GET', 'PUT', 'PATCH', 'DELETE']],
    ['/api/exchange/access', 'POST, OPTIONS', ['GET', 'PUT', 'PATCH', 'DELETE']],
  ])('report their methods: %s', async (path, allowed, refused) => {
    for (const method of refused) {
      const { status, headers, body } = await service.request(path, { method });
      expect([method, status, body.code, headers.get('allow')]).toEqual([method, 405, 'METHOD_NOT_ALLOWED', allowed]);
    }
    const preflight = await service.request(path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, allowed]);
    for (const name of ['X-Consent-Token', 'X-Signature', 'X-Nonce', 'X-Timestamp']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    }
  });

  test('answer HEAD like GET without the body, once per signature', async () => {
    const url = exchange.query(exchange.signed(use, 'readRecords'));
    const head = await service.request(url, { method: 'HEAD' });
    expect([head.status, head.body, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    expectRefusal(await service.get(url), 'NONCE_REUSED');
    expect((await service.request('/api/exchange/export', { method: 'HEAD' })).status).toBe(405);
  });
});
