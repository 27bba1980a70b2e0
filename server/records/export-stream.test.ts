import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../test-service.ts';
import { EXPORT, type Exchange, exchangeOf, measurements, type Relation } from './test-exchange.ts';
import { slowly } from './test-exports.ts';

const COUNT = 20_000;
const MIB = 1024 * 1024;
/** Of the export. */
const PAGE = 200;

let service: TestService;
let exchange: Exchange;
let use: Relation;
beforeAll(async () => {
  service = await startTestService({ DAILY_BYTES: '10000000000' });
  exchange = exchangeOf(service);
  use = await exchange.related();
  for (let batch = 0; batch < COUNT / 100; batch += 4) {
    const source = { method: 'ELISA', equipment: 'Cobas 8000', note: 'x'.repeat(500) };
    await Promise.all(
      [0, 1, 2, 3].map(() =>
        exchange.submitted(
          use,
          measurements(100, () => ({ source })),
        ),
      ),
    );
  }
});
afterAll(() => service.stop());

describe('twenty thousand records', () => {
  test.each([
    ['JSON', /\]\}\\n"\}$/],
    ['CSV', /\\r\\n"\}$/],
    ['FHIR_R4', /\\n\]\}\\n"\}$/],
  ])(
    'leave as %s while most of them are still in the database, in little memory',
    async (format, end) => {
      const pages = vi.spyOn(service.service.context.recordPool, 'query');
      const asked = () =>
        pages.mock.calls.filter(([query]) => /^export-/.test((query as { name?: string }).name ?? ''));
      const before = process.memoryUsage().rss;
      let most = before;
      const slow = await slowly(`${service.url}${EXPORT}`, exchange.signed(use, 'sovereignExport', { format }));
      const waiting = asked().length;
      expect(slow.first).toContain(`"record_count":${COUNT}`);
      expect(waiting).toBeLessThan(COUNT / PAGE / 2);
      const whole = await slow.drain(() => {
        most = Math.max(most, process.memoryUsage().rss);
      });
      const pagesRead = asked().length;
      pages.mockRestore();
      expect(pagesRead).toBe(COUNT / PAGE);
      expect(whole.bytes).toBeGreaterThan(20 * MIB);
      expect(whole.end).toMatch(end);
      expect((most - before) / MIB).toBeLessThan(200);
    },
    120_000,
  );

  test('are read in pages and counted', async () => {
    expect(await exchange.page(use, { limit: 200, offset: COUNT - 200 })).toMatchObject({
      total: COUNT,
      has_more: false,
    });
    const [first] = (await exchange.page(use, { limit: 1 })).records;
    const [last] = (await exchange.page(use, { limit: 1, offset: COUNT - 1 })).records;
    expect(first.collected_at > last.collected_at).toBe(true);
  });
});

describe('a thousand records as large as they can be', () => {
  test('are exported without holding many times their size', async () => {
    const large = await exchange.related();
    const note = 'x'.repeat(60_000);
    for (let index = 0; index < 1_000; index += 10)
      await exchange.submitted(
        large,
        measurements(10, () => ({ note })),
      );
    const before = process.memoryUsage().rss;
    let most = before;
    const slow = await slowly(`${service.url}${EXPORT}`, exchange.signed(large, 'sovereignExport', { format: 'CSV' }));
    const whole = await slow.drain(() => {
      most = Math.max(most, process.memoryUsage().rss);
    });
    expect(whole.bytes).toBeGreaterThan(1_000 * 60_000);
    expect((most - before) / MIB).toBeLessThan(300);
  });
});
