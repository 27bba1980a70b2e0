import { expect, test } from 'vitest';
import { twoPlaces } from './two-places.ts';

test('the two places asked for are different, in order, and any of the 24', () => {
  const seen = new Set<number>();
  for (let round = 0; round < 2_000; round++) {
    const [one, other] = twoPlaces(24);
    expect(one).toBeLessThan(other);
    seen.add(one).add(other);
  }
  expect([...seen].sort((one, other) => one - other)).toEqual(Array.from({ length: 24 }, (_, index) => index));
});
