import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { type ConsentParties, type Exchange, exchangeOf, measurements } from '../../features/records/test-exchange.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createCaller } from './router.ts';
import { publicError } from './trpc-errors.ts';

const TOTAL = MAX_PAGE_SIZE + 5;

let product: TestService;
let exchange: Exchange;
let use: ConsentParties;
let call: ReturnType<typeof createCaller>;
beforeAll(async () => {
  product = await startTestService();
  exchange = exchangeOf(product);
  call = createCaller({ services: product.service.context, address: '192.0.2.1' });
  use = await exchange.newConsent();
  for (const count of [100, 100, 5]) await exchange.submitted(use, measurements(count));
  const grants = Array.from({ length: TOTAL }, (_, index) =>
    exchange.parties.granted(use.holder, use.by.id, {
      intents: ['READ_RECORDS'],
      categories: ['*'],
      max_records: 1_000 + index,
    }),
  );
  await Promise.all(grants);
});
afterAll(() => product.stop());

const filters = {
  categories: null,
  biomarkers: null,
  levels: null,
  status: 'ACTIVE' as const,
  from: null,
  to: null,
  offset: 0,
};

test('pages of records have REST’s default and maximum size', async () => {
  const read = (limit: number | undefined) =>
    call.records({ body: exchange.signed(use, 'readRecords'), filters: { ...filters, limit } });
  for (const limit of [1_000, 1_000_000, MAX_PAGE_SIZE + 1]) {
    const page = await read(limit);
    expect([page.records.length, page.has_more, page.total]).toEqual([MAX_PAGE_SIZE, true, TOTAL]);
  }
  expect((await read(undefined)).records).toHaveLength(100);
});

test('a period of records may have every offset of ISO 8601, also those that PostgreSQL does not read', async () => {
  const read = (from: string) =>
    call.records({ body: exchange.signed(use, 'readRecords'), filters: { ...filters, from } });
  expect((await read('2000-01-01T00:00:00+23:48')).total).toBe(TOTAL);
  expect((await read('2999-01-01T00:00:00-23:48')).total).toBe(0);
  const withoutZone = read('2999-01-01T00:00:00').catch((error: unknown) => publicError(error).code);
  expect(await withoutZone).toBe('VALIDATION_FAILED');
});

test('pages of granted and received consents and of entries have a maximum size', async () => {
  const reference = use.holder.id;
  for (const limit of [1_000, 1_000_000, MAX_PAGE_SIZE + 1]) {
    expect((await call.consents({ reference, limit })).tokens).toHaveLength(MAX_PAGE_SIZE);
    expect((await call.receivedConsents({ reference: use.by.id, limit })).tokens).toHaveLength(MAX_PAGE_SIZE);
  }
  expect((await call.consents({ reference })).tokens).toHaveLength(50);
  expect(await call.history({ entityId: reference, limit: 1_000 })).not.toHaveLength(0);
  expect((await call.latestEvents({ reference, limit: 1_000 })).length).toBeLessThanOrEqual(MAX_PAGE_SIZE);
});

test.each([0, -1, 1.5, Number.NaN])('a limit of %d is refused', async (limit) => {
  const refused = await call
    .consents({ reference: use.holder.id, limit })
    .catch((error: unknown) => publicError(error).code);
  expect(refused).toBe('VALIDATION_FAILED');
});
