import { expect, test } from 'vitest';
import { possibleTimes } from './compare-api.ts';
import { divide } from './sample.ts';

test('a sample is divided evenly; the other kinds take what one kind cannot fill', () => {
  expect(divide(50, [1_000, 1_000, 1_000])).toEqual([17, 17, 16]);
  expect(divide(50, [1_000, 0, 4])).toEqual([46, 0, 4]);
  expect(divide(50, [3, 2, 1])).toEqual([3, 2, 1]);
  expect(divide(0, [3, 2, 1])).toEqual([0, 0, 0]);
});

test('the possible times of a service’s clock include every time at which the response changes', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');
  const ends = ['2026-01-31T11:57:00.000Z', '2026-01-31T11:59:00.000Z', '2026-01-31T12:01:00.000Z'];
  const times = possibleTimes(now, [...ends, '2026-02-03T12:00:00.000Z']);
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-01-31T11:58:00.000Z',
    '2026-01-31T11:59:00.000Z',
    '2026-01-31T12:01:00.000Z',
  ]);
});
