import { expect, test } from 'vitest';
import { dayOf } from '../../../../protocol/days.ts';
import { periodOf, startOfPeriod } from './period.ts';

const noon = (day: string) => Date.parse(`${day}T12:00:00`);

test('a period starts on the same day some months ago, or on the last day of a shorter month', () => {
  expect(dayOf(startOfPeriod('year', noon('2026-11-21')) ?? 0)).toBe('2025-11-21');
  expect(dayOf(startOfPeriod('quarter', noon('2026-05-31')) ?? 0)).toBe('2026-02-28');
  expect(dayOf(startOfPeriod('month', noon('2026-03-31')) ?? 0)).toBe('2026-02-28');
  expect(dayOf(startOfPeriod('year', noon('2028-02-29')) ?? 0)).toBe('2027-02-28');
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
