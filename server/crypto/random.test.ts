import { expect, test } from 'vitest';
import { randomSlice } from './random.ts';

test('random bytes are given out once, in any sizes, past the end of a pool too', () => {
  const seen = new Set<string>();
  for (let round = 0; round < 3_000; round++) {
    for (const size of [12, 32]) {
      const slice = randomSlice(size);
      expect(slice).toHaveLength(size);
      seen.add(slice.toString('hex'));
    }
  }
  expect(seen.size).toBe(6_000);
  expect(randomSlice(100_000)).toHaveLength(100_000);
  expect(randomSlice(100_000).every((byte) => byte === 0)).toBe(false);
});

test('what was given out does not change when more is asked for', () => {
  const kept = randomSlice(32);
  const copy = Buffer.from(kept);
  for (let round = 0; round < 1_000; round++) randomSlice(32);
  expect(kept.equals(copy)).toBe(true);
});
