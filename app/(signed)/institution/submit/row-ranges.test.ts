import { expect, test } from 'vitest';
import { rowRanges } from './row-ranges.ts';

test('names rows as they are, and contiguous ones as a range', () => {
  expect(rowRanges([2])).toEqual({ ranges: ['2'], more: 0 });
  expect(rowRanges([2, 8])).toEqual({ ranges: ['2', '8'], more: 0 });
  expect(rowRanges([2, 3, 4, 8])).toEqual({ ranges: ['2–4', '8'], more: 0 });
});

test('counts the rows beyond the first four ranges', () => {
  expect(rowRanges([2, 4, 6, 8, 10, 11, 12, 20])).toEqual({ ranges: ['2', '4', '6', '8'], more: 4 });
});
