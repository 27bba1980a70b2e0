import { expect, test } from 'vitest';
import { twoPlaces } from './two-places.ts';

test('returns two different places in order, each of the 24 possible', () => {
  const seen = new Set<number>();
  for (let round = 0; round < 2_000; round++) {
    const [first, second] = twoPlaces(24);
    expect(first).toBeLessThan(second);
    seen.add(first).add(second);
  }
  expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index));
});
