import { describe, expect, test } from 'vitest';
import { daysLeft, endsSoon, shareLeft } from './consent-time.ts';

const DAY_MS = 24 * 3_600_000;
const GRANTED = Date.parse('2026-01-01T00:00:00.000Z');
const dayOf = (days: number) => GRANTED + days * DAY_MS;
const lasting = (days: number | null) => ({
  granted_at: new Date(GRANTED).toISOString(),
  expires_at: days === null ? null : new Date(dayOf(days)).toISOString(),
});

describe('a consent ends soon', () => {
  test.each([
    [90, 9],
    [30, 3],
    [7, 1],
    [365, 14],
    [36_500, 14],
    [10, 1],
    [140, 14],
  ])('of %d days: in its last %d days', (length, soon) => {
    expect(endsSoon(lasting(length), dayOf(length - soon) - 1)).toBe(false);
    expect(endsSoon(lasting(length), dayOf(length - soon))).toBe(true);
  });

  test('from the start if it lasts a day', () => {
    expect(endsSoon(lasting(1), dayOf(0))).toBe(true);
  });

  test('never without an end', () => {
    expect(endsSoon(lasting(null), dayOf(10_000))).toBe(false);
  });
});

test('the share that is left is from 1 to 0, and null without an end', () => {
  expect([-1, 0, 25, 100, 101].map((days) => shareLeft(lasting(100), dayOf(days)))).toEqual([1, 1, 0.75, 0, 0]);
  expect(shareLeft(lasting(0), dayOf(0))).toBe(0);
  expect(shareLeft(lasting(null), dayOf(5))).toBeNull();
});

test('the days that are left are rounded, and never negative', () => {
  const end = lasting(90).expires_at ?? '';
  expect([0, 0.001, 88.8, 89.6, 91].map((days) => daysLeft(end, dayOf(days)))).toEqual([90, 90, 1, 0, 0]);
});
