import { expect, test } from 'vitest';
import { dayAsText, endOfDay, periodOf, startOfDay, startOfPeriod } from './period.ts';

const noon = (day: string) => Date.parse(`${day}T12:00:00`);

test('a period starts on the same day some months ago, or on the last day of a shorter month', () => {
  expect(dayAsText(startOfPeriod('year', noon('2026-11-21')))).toBe('2025-11-21');
  expect(dayAsText(startOfPeriod('quarter', noon('2026-05-31')))).toBe('2026-02-28');
  expect(dayAsText(startOfPeriod('month', noon('2026-03-31')))).toBe('2026-02-28');
  expect(dayAsText(startOfPeriod('year', noon('2028-02-29')))).toBe('2027-02-28');
  expect(startOfPeriod('always', noon('2026-11-21'))).toBeNull();
});

test('periodOf finds the period by its start', () => {
  const now = noon('2026-11-21');
  const filter = (from: number | null, to: number | null = null) => ({ category: null, from, to });
  expect([
    periodOf(filter(null), now),
    periodOf(filter(startOfPeriod('quarter', now)), now),
    periodOf(filter(startOfPeriod('quarter', now), now), now),
    periodOf(filter(now), now),
  ]).toEqual(['always', 'quarter', 'between', 'between']);
});

test('a day includes its first and last millisecond in the reader’s zone', () => {
  const [start, end] = [startOfDay('2026-02-28') ?? 0, endOfDay('2026-02-28') ?? 0];
  expect([dayAsText(start), dayAsText(end), dayAsText(start - 1), dayAsText(end + 1)]).toEqual([
    '2026-02-28',
    '2026-02-28',
    '2026-02-27',
    '2026-03-01',
  ]);
  expect([startOfDay(''), endOfDay('28.2.2026'), dayAsText(null)]).toEqual([null, null, '']);
});
