import { expect, test } from 'vitest';
import { overlap } from './pauses.ts';

test('the part of a time that pauses took is counted', () => {
  const pauses = [
    { from: 0, to: 10 },
    { from: 20, to: 50 },
  ];
  expect(overlap(pauses, 5, 30)).toBe(5 + 10);
  expect(overlap(pauses, 10, 20)).toBe(0);
  expect(overlap(pauses, 0, 100)).toBe(40);
  expect(overlap([], 0, 100)).toBe(0);
});
