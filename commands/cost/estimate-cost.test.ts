import { expect, test } from 'vitest';
import { newHolder, query, type TestOperator, testOperator } from '../../auditor/audit/test-operator.ts';
import { removeRunningFile } from '../../server/platform/data-folder/running-file.ts';
import { describe } from './describe.ts';
import { type CostReport, ratio, readCosts } from './estimate-cost.ts';

/** The devnet's price of a bundle of one chunk. */
const PRICE = 570_000_000n;
const FUNDS = 10n ** 18n;

async function costs(operator: TestOperator, databaseUrl: string, days = 7): Promise<CostReport> {
  const reports: CostReport[] = [];
  await operator.run(async (parts) => {
    reports.push(await readCosts(days, parts));
    return 'clean';
  }, databaseUrl);
  const [report] = reports;
  if (!report) throw new Error('There is no report.');
  return report;
}

test('the costs of a service are those of its bundles, while it runs and when it is stopped', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  for (let round = 0; round < 3; round++) {
    await newHolder(service);
    await newHolder(service);
    await operator.settle(databaseUrl);
  }
  const rows = await query<{ count: number }>(databaseUrl, 'SELECT count(*)::int AS count FROM bundles');
  const bundles = rows[0]?.count ?? 0;
  expect(bundles).toBeGreaterThanOrEqual(3);
  const total = PRICE * BigInt(bundles);
  const operations = 6;

  const report = await costs(operator, databaseUrl);
  expect(report.now).toEqual({
    bundle: PRICE,
    operation: ratio(total, operations),
    operationsPerBundle: operations / bundles,
  });
  expect(report.wallet).toMatchObject({ balance: FUNDS - total, spent: total });
  expect(report.wallet.daysLeft).toBeCloseTo((Number(FUNDS - total) * report.wallet.spentDays) / Number(total), 3);
  for (const periods of [report.days, report.weeks]) {
    expect(periods.reduce((sum, { winston }) => sum + winston, 0n)).toBe(total);
    expect(periods.reduce((sum, period) => sum + period.operations, 0)).toBe(operations);
    expect(periods.reduce((sum, period) => sum + period.bundles, 0)).toBe(bundles);
  }
  const { simulation } = report;
  expect([simulation.operations, simulation.currentMaxAgeMs]).toEqual([operations, 50]);
  expect(simulation.ages.map(({ maxAgeMs }) => maxAgeMs)).toEqual([
    50, 3_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000,
  ]);
  const [atOnce, ...later] = simulation.ages;
  expect(atOnce?.worstDelayMs).toBeLessThanOrEqual(50);
  // All six were accepted within the hour, so one bundle would have done.
  expect(later.at(-1)).toMatchObject({ operationsPerBundle: 6, operation: ratio(PRICE, operations) });

  // A bundle of ten days ago: it counts for its day, and not for the last seven.
  await query(databaseUrl, "UPDATE bundles SET prepared_at = prepared_at - interval '10 days' WHERE first_seq = 1");
  operator.devnet.setFault({ mode: 'price', factor: 3 });
  const later10 = await costs(operator, databaseUrl);
  expect(later10.now.bundle).toBe(3n * PRICE);
  expect(later10.wallet.spent).toBe(total - PRICE);
  expect(later10.days[0]?.winston).toBe(PRICE);
  expect(later10.days.length).toBe(report.days.length + 1);
  operator.devnet.setFault({ mode: 'none' });

  await service.stop();
  await operator.devnet.stop();
  removeRunningFile(operator.dataDir);
  const stopped = await costs(operator, databaseUrl);
  expect(stopped.now.bundle).toBe(PRICE);
  expect(stopped.days).toEqual(later10.days);
  expect(stopped.wallet.balance).toBe(FUNDS - total);
});

test('a service that has posted nothing has no price of an operation', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  await operator.serve(databaseUrl, { hold: true });
  const report = await costs(operator, databaseUrl);
  expect(report.now).toEqual({ bundle: PRICE, operation: null, operationsPerBundle: null });
  expect(report.wallet).toMatchObject({ balance: FUNDS, spent: 0n, daysLeft: null });
  expect(report.simulation).toMatchObject({ operations: 0, ages: [] });
  expect(describe(report).join('\n')).toContain('Day (UTC): nothing was posted.');
});

test('amounts are exact, and those of an operation rounded to one winston', () => {
  expect([ratio(10n, 4), ratio(9n, 4), ratio(0n, 3), ratio(5n, 0)]).toEqual([3n, 2n, 0n, null]);
  const report: CostReport = {
    now: { bundle: PRICE, operation: 47_500_000n, operationsPerBundle: 12 },
    wallet: {
      address: 'w',
      balance: 12_345_678_901_234_567_890n,
      spent: 7n * PRICE,
      spentDays: 7,
      daysLeft: 151_612.4,
    },
    days: [{ from: '2026-11-23', bundles: 2, operations: 24, bytes: 9_000, winston: 2n * PRICE }],
    weeks: [],
    simulation: {
      days: 7,
      operations: 24,
      currentMaxAgeMs: 60_000,
      ages: [
        {
          maxAgeMs: 60_000,
          bundlesPerDay: 2,
          operationsPerBundle: 12,
          operation: 47_500_000n,
          meanDelayMs: 31_000,
          worstDelayMs: 60_000,
        },
      ],
    },
  };
  expect(describe(report)).toEqual([
    'Now',
    '  a bundle of up to 256 KiB   0.00057 AR (570000000 winston)',
    '  operations in a bundle      12.00',
    '  an operation                0.0000475 AR (47500000 winston)',
    '',
    'Wallet w',
    '  balance                     12345678.90123456789 AR (12345678901234567890 winston)',
    '  spent in 7.0 days           0.00399 AR (3990000000 winston)',
    '  lasts                       151612 days at that spending',
    '',
    'Day (UTC)   bundles  operations       AR  AR per operation',
    '2026-11-23        2          24  0.00114         0.0000475',
    '',
    'Week from: nothing was posted.',
    '',
    'BUNDLE_MAX_AGE_MS: simulated with the 24 operations of the last 7.0 days, at the price now',
    '             bundles a day  operations in a bundle  AR per operation  mean delay  worst delay',
    '60000 (now)            2.0                   12.00         0.0000475      31.0 s       60.0 s',
    'A delay ends when the bundle is posted. The network then needs minutes to mine it.',
  ]);
});
