import { afterEach, describe, expect, test, vi } from 'vitest';
import { dayOf, daysThrough, endAfter, endOfDay, isDay, MAX_CONSENT_DAYS, periodOfDays, startOfDay } from './days.ts';

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
    expect([startOfDay(day), endOfDay(day), daysThrough(day, noon)]).toEqual([null, null, null]);
  });
});

describe('the duration of a consent', () => {
  test('includes the chosen day to its end', () => {
    expect(daysThrough('2026-03-02', noon)).toBe(2);
    expect(daysThrough('2026-03-02', new Date(2026, 2, 1, 23, 59).getTime())).toBe(2);
    expect(daysThrough('2026-03-02', new Date(2026, 2, 1).getTime())).toBe(2);
    expect(daysThrough('2027-03-01', noon)).toBe(366);
  });

  test('ends after today, and within the limit of the protocol', () => {
    expect(daysThrough('2026-03-01', noon)).toBeNull();
    expect(daysThrough('2020-01-01', noon)).toBeNull();
    expect([daysThrough('2126-02-04', noon), daysThrough('2126-02-05', noon)]).toEqual([MAX_CONSENT_DAYS, null]);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  // Clocks change in each of them, at midnight in São Paulo. Apia had no 30 December 2011.
  test.each([
    ['America/Sao_Paulo', '2018-11-03', '2018-11-04T03:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-05T02:00:00.000Z'],
    ['America/Sao_Paulo', '2019-02-16', '2019-02-17T03:00:00.000Z'],
    ['Europe/Madrid', '2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['Europe/Madrid', '2027-03-28', '2027-03-28T22:00:00.000Z'],
    ['America/Mexico_City', '2022-10-30', '2022-10-31T06:00:00.000Z'],
    ['America/Mexico_City', '2026-11-30', '2026-12-01T06:00:00.000Z'],
    ['Pacific/Apia', '2020-09-27', '2020-09-27T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00.000Z'],
  ])('in %s includes %s to its end, from any hour of the days before', (zone, day, end) => {
    vi.stubEnv('TZ', zone);
    for (let hours = 1; hours <= 24 * 10; hours++) {
      const now = Date.parse(end) - hours * 3_600_000;
      const days = daysThrough(day, now);
      if (dayOf(now) >= day) expect(days).toBeNull();
      else {
        expect(Date.parse(endAfter(days, now) ?? '')).toBeGreaterThanOrEqual(Date.parse(end));
        expect(Date.parse(endAfter((days ?? 0) - 1, now) ?? '')).toBeLessThan(Date.parse(end));
      }
    }
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
