import { expect, it } from 'vitest';
import { type Figure, isReached, ratioOf, resultsTable, spreadOf } from './figures.ts';

const writes: Figure = {
  ...{ name: 'writes', unit: '/s', rounds: [3_000, 2_000, 2_600], reference: [5_000, 5_000, 4_000] },
  targets: [
    { of: 'value', atLeast: 2_500 },
    { of: 'ratio', atLeast: 0.65 },
  ],
};

it('rounds have a median, a minimum and a maximum', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 });
});

it('figures are compared with the reference round by round', () => {
  expect(ratioOf(writes)).toEqual({ median: 0.6, min: 0.4, max: 0.65 });
  expect(ratioOf({ name: 'x', unit: '', rounds: [1] })).toBeNull();
});

it('figures reach a target by their median', () => {
  expect(writes.targets?.map((target) => isReached(writes, target))).toEqual([true, false]);
  expect(isReached(writes, { of: 'value', atMost: 2_599 })).toBe(false);
  expect(isReached(writes, { of: 'value', atMost: 2_600 })).toBe(true);
});

it('the table shows each figure with its reference, its ratio and its targets', () => {
  const table = resultsTable({
    ...{ at: '2026-01-01T00:00:00.000Z', machine: 'A Processor, 2 cores', rounds: 3, rateLimits: true },
    ...{ reference: 'bare loop', minutes: 5, figures: [writes] },
  });
  expect(table).toContain('A Processor, 2 cores');
  expect(table).toMatch(
    /writes +2,600 \(2,000–3,000\) \/s +5,000 \(4,000–5,000\) \/s +0\.6 \(0\.4–0\.65\) +≥ 2,500 \/s: reached; ≥ 0\.65 × bare loop: MISSED/,
  );
});
