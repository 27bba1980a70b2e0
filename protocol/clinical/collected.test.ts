import { expect, test } from 'vitest';
import { collectedTime, latestDay, parseCollected } from './collected.ts';

test('a date alone is a day, and its noon in UTC where a time is needed', () => {
  expect(parseCollected('2026-11-20')).toEqual({ at: Date.UTC(2026, 10, 20, 12), day: '2026-11-20' });
  expect(collectedTime('2026-11-20')).toBe(Date.UTC(2026, 10, 20, 12));
});

test('a date with a time and a zone is an instant', () => {
  expect(parseCollected('2026-11-20T08:30:00-03:00')).toEqual({ at: Date.UTC(2026, 10, 20, 11, 30), day: null });
});

test.each([
  '',
  '2026-02-30',
  '2026-11',
  '20/11/2026',
  '2026-11-20T08:30',
  '0999-12-31',
  '2026-1-1',
  ' 2026-11-20',
  '20261120..',
])('%j is neither', (text) => {
  expect(parseCollected(text)).toBeNull();
  expect(collectedTime(text)).toBeNaN();
});

test('the latest day is the date in UTC+14', () => {
  expect(latestDay(Date.parse('2026-11-20T09:59:59.999Z'))).toBe('2026-11-20');
  expect(latestDay(Date.parse('2026-11-20T10:00:00Z'))).toBe('2026-11-21');
});
