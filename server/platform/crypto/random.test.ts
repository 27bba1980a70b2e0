import { expect, test } from 'vitest';
import { randomSlice } from './random.ts';

test('random bytes are returned once, in any size, also beyond the end of a pool', () => {
  const slices = new Set<string>();
  for (let round = 0; round < 3_000; round++) {
    for (const size of [12, 32]) {
      const slice = randomSlice(size);
      expect(slice).toHaveLength(size);
      slices.add(slice.toString('hex'));
    }
  }
  expect(slices.size).toBe(6_000);
  expect(randomSlice(100_000)).toHaveLength(100_000);
  expect(randomSlice(100_000).every((byte) => byte === 0)).toBe(false);
});

test('returned bytes do not change when more are requested', () => {
  const slice = randomSlice(32);
  const copy = Buffer.from(slice);
  for (let round = 0; round < 1_000; round++) randomSlice(32);
  expect(slice.equals(copy)).toBe(true);
});
