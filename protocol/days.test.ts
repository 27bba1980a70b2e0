import { describe, expect, test } from 'vitest';
import { dayOf, daysUntil, endAfter, endOfDay, isDay, MAX_CONSENT_DAYS, periodOfDays, startOfDay } from './days.ts';

const noon = new Date(2026, 2, 1, 12).getTime();

describe('a day', () => {
  test('runs from midnight to midnight in the zone of the device', () => {
    expect(startOfDay('2026-03-01')).toBe(new Date(2026, 2, 1).getTime());
    expect(endOfDay('2026-03-01')).toBe(new Date(2026, 2, 2).getTime() - 1);
    expect(dayOf(noon)).toBe('2026-03-01');
    expect(dayOf((startOfDay('2026-03-01') ?? 0) - 1)).toBe('2026-02-28');
    expect(dayOf((endOfDay('2026-02-28') ?? 0) + 1)).toBe('2026-03-01');
  });

  test('can be of any year, of which requests contain those from 1000 on', () => {
    expect(['0020-01-01', '0999-12-31', '1000-01-01'].map((day) => dayOf(startOfDay(day) ?? 0))).toEqual([
      '0020-01-01',
      '0999-12-31',
      '1000-01-01',
    ]);
    expect(['0999-12-31', '1000-01-01', '2026-02-30', '2026-11-21T10:00:00Z'].map(isDay)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test.each(['', '2026-3-1', '2026-02-30', '2026-13-01', 'tomorrow'])('“%s” is invalid', (day) => {
    expect([startOfDay(day), endOfDay(day), daysUntil(day, noon)]).toEqual([null, null, null]);
  });
});

describe('the duration of a consent', () => {
  test('is in calendar days, at any hour and across daylight saving time', () => {
    expect(daysUntil('2026-03-02', noon)).toBe(1);
    expect(daysUntil('2026-03-02', new Date(2026, 2, 1, 23, 59).getTime())).toBe(1);
    expect(daysUntil('2027-03-01', noon)).toBe(365);
    expect(daysUntil('2026-12-01', noon)).toBe(275);
  });

  test('ends after today, and within the limit of the protocol', () => {
    expect(daysUntil('2026-03-01', noon)).toBeNull();
    expect(daysUntil('2020-01-01', noon)).toBeNull();
    expect(daysUntil('2126-03-02', noon)).toBeNull();
    expect(MAX_CONSENT_DAYS).toBe(36_500);
  });

  test('ends after that many times 24 hours, or never', () => {
    expect(endAfter(1, Date.parse('2026-03-01T12:00:00.000Z'))).toBe('2026-03-02T12:00:00.000Z');
    expect(endAfter(null, noon)).toBeNull();
  });
});

describe('the period of a scope', () => {
  test('has two bounds, one, or none', () => {
    const from = new Date(2026, 0, 1).toISOString();
    const to = new Date(new Date(2026, 1, 1).getTime() - 1).toISOString();
    expect(periodOfDays('2026-01-01', '2026-01-31')).toEqual({ from, to });
    expect(periodOfDays('2026-01-01', '')).toEqual({ from, to: null });
    expect(periodOfDays('', '2026-01-31')).toEqual({ from: null, to });
    expect(periodOfDays('', 'tomorrow')).toEqual({ from: null, to: null });
  });
});
