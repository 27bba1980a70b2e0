import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test('formats a size in the largest unit, in the language of the page', () => {
  const sizes = [0, 999, 1_000, 999_999, 1_000_000, 123_456_789, 4_200_000_000_000];
  expect(sizes.map((bytes) => formatBytes('en-GB', bytes))).toEqual([
    '0 byte',
    '999 byte',
    '1 kB',
    '1,000 kB',
    '1.0 MB',
    '123.5 MB',
    '4,200.0 GB',
  ]);
  expect(formatBytes('pt-BR', 1_500_000)).toBe('1,5 MB');
});
