import { expect, test } from 'vitest';
import { relayNext } from '../../server/ledger/relay.ts';
import { testRelay } from '../../server/ledger/test-relay.ts';
import { type Arrival, type Simulated, simulate } from './simulate.ts';

function simulated(maxAgeMs: number, arrivals: readonly Arrival[]): Simulated {
  const simulation = simulate(maxAgeMs);
  for (const arrival of arrivals) simulation.add(arrival);
  return simulation.end();
}

const at = (...times: readonly number[]): Arrival[] => times.map((time) => ({ at: time, bytes: 500 }));

test('a bundle is posted when its oldest operation has waited for the maximum age', () => {
  expect(simulated(3_000, at(0, 1_000, 4_000))).toEqual({
    maxAgeMs: 3_000,
    operations: 3,
    bundles: 2,
    byChunks: new Map([[1, 2]]),
    // Posted at 3000 and 7000: 3000 + 2000 and 3000.
    delayMs: { total: 8_000, worst: 3_000 },
  });
  expect(simulated(4_000, at(0, 1_000, 3_999))).toMatchObject({ bundles: 1, delayMs: { total: 7_001, worst: 4_000 } });
  expect(simulated(4_000, at(0, 4_000))).toMatchObject({ bundles: 2 });
  expect(simulated(1_000, [])).toMatchObject({ operations: 0, bundles: 0, delayMs: { total: 0, worst: 0 } });
});

test('a full bundle is posted at once', () => {
  const large = [0, 10, 20].map((time) => ({ at: time, bytes: 100_000 }));
  expect(simulated(1_000, large)).toMatchObject({ bundles: 2, delayMs: { total: 20 + 10 + 1_000, worst: 1_000 } });
  expect(
    simulated(
      1_000,
      at(...Array(1_024).fill(5)).map((arrival) => ({ ...arrival, bytes: 100 })),
    ),
  ).toMatchObject({
    bundles: 1,
    delayMs: { total: 0, worst: 0 },
  });
});

test('an operation larger than a chunk pays for each of its chunks', () => {
  expect(simulated(1_000, [{ at: 0, bytes: 600_000 }]).byChunks).toEqual(new Map([[3, 1]]));
});

test('entries that wait together are packed into the same bundles as by the relay', async () => {
  const relay = await testRelay();
  for (const [count, bytes] of [
    [40, 20_000],
    [1_100, 60],
    [3, 150_000],
    [1, 400_000],
    [20, 30_000],
  ] as const) {
    await relay.accept(count, bytes);
  }
  while ((await relayNext(relay.parts)) > 0);
  const { rows } = await relay.pool.query<Arrival>(
    'SELECT 0 AS at, octet_length(item) AS bytes FROM ledger_entries ORDER BY seq',
  );
  const bundles = await relay.bundles();
  expect(bundles.length).toBeGreaterThan(6);
  expect(simulated(1, rows).bundles).toBe(bundles.length);
});
