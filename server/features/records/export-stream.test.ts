import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { amount, IN_FULL } from '../../../protocol/test-amount.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type ConsentParties, EXPORT, type Exchange, exchangeOf, measurements } from './test-exchange.ts';
import { startExport } from './test-exports.ts';

/** Few records fit into the buffers between the service and its client, so that they show only the pages, not the memory. */
const COUNT = amount(800, 20_000);
const MIB = 1024 * 1024;
/** The number of records in a page of the export. */
const PAGE = 200;

let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  service = await startTestService({ DAILY_BYTES: '10000000000' });
  exchange = exchangeOf(service);
  use = await exchange.newConsent();
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

describe('many records', () => {
  test.each([
    ['JSON', /\]\}\\n"\}$/],
    ['CSV', /\\r\\n"\}$/],
    ['FHIR_R4', /\\n\]\}\\n"\}$/],
  ])('are streamed as %s page by page, in little memory', async (format, end) => {
    const pages = vi.spyOn(service.service.context.recordPool, 'query');
    const pageQueries = () =>
      pages.mock.calls.filter(([query]) => /^export-/.test((query as { name?: string }).name ?? ''));
    const before = process.memoryUsage().rss;
    let peak = before;
    const exporting = await startExport(`${service.url}${EXPORT}`, exchange.signed(use, 'sovereignExport', { format }));
    const queriesAtStart = pageQueries().length;
    expect(exporting.first).toContain(`"record_count":${COUNT}`);
    if (IN_FULL) expect(queriesAtStart).toBeLessThan(COUNT / PAGE / 2);
    const rest = await exporting.drain(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    });
    const queries = pageQueries().length;
    pages.mockRestore();
    expect(queries).toBe(COUNT / PAGE);
    expect(rest.bytes).toBeGreaterThan(COUNT * 600);
    expect(rest.end).toMatch(end);
    expect((peak - before) / MIB).toBeLessThan(200);
  });

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

describe('records of nearly the maximum size', () => {
  test('are exported in memory of a few times their size', async () => {
    const count = amount(50, 1_000);
    const large = await exchange.newConsent();
    const note = 'x'.repeat(60_000);
    for (let index = 0; index < count; index += 10)
      await exchange.submitted(
        large,
        measurements(10, () => ({ note })),
      );
    const before = process.memoryUsage().rss;
    let peak = before;
    const exporting = await startExport(
      `${service.url}${EXPORT}`,
      exchange.signed(large, 'sovereignExport', { format: 'CSV' }),
    );
    const rest = await exporting.drain(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    });
    expect(rest.bytes).toBeGreaterThan(count * 60_000);
    expect((peak - before) / MIB).toBeLessThan(300);
  });
});
