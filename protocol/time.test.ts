import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timestampProblem } from './signing/timestamp-problem.ts';
import { amount } from './test-amount.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS, NONCE_RETENTION_MS, parseTimestamp } from './time.ts';

const two = (number: number): string => String(number).padStart(2, '0');
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number => (DAYS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);

const zone = fc.oneof(
  fc.constant('Z'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59))
    .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`),
);
const fraction = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^[0-9]{1,9}$/).map((digits) => `.${digits}`),
);

describe('a timestamp', () => {
  test('has the value of Date.parse for every date-time of RFC 3339', () => {
    const parts = fc.tuple(
      fc.nat(9999),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(30),
      fc.nat(23),
      fc.nat(59),
      fc.nat(59),
    );
    fc.assert(
      fc.property(parts, fraction, zone, ([year, month, day, hour, minute, second], fractionText, zoneText) => {
        const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(1 + (day % daysIn(year, month)))}`;
        const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}${fractionText}${zoneText}`;
        expect(parseTimestamp(text)).toBe(Date.parse(text));
      }),
      { numRuns: amount(1_000, 5_000) },
    );
  });

  test('keeps milliseconds', () => {
    for (let ms = 0; ms < 1_000; ms += 1) {
      const text = new Date(Date.UTC(2026, 0, 31, 12, 0, 0, ms)).toISOString();
      expect(parseTimestamp(text)).toBe(Date.UTC(2026, 0, 31, 12, 0, 0, ms));
    }
  });

  test('must be an existing day and time', () => {
    const parts = fc.tuple(
      fc.constantFrom(1900, 2000, 2024, 2026),
      fc.nat(13),
      fc.nat(32),
      fc.nat(25),
      fc.nat(61),
      fc.nat(61),
    );
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second]) => {
        const exists = day >= 1 && day <= daysIn(year, month) && hour < 24 && minute < 60 && second < 60;
        const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}Z`;
        expect(parseTimestamp(text) !== null).toBe(exists);
      }),
      { numRuns: amount(1_000, 5_000) },
    );
  });

  test.each([
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00,5Z', '2026-01-31T12:00:00.5Z'],
    ['2026-01-31T12:00:00+0230', '2026-01-31T12:00:00+02:30'],
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.999999999Z', '2026-01-31T12:00:00.999Z'],
  ])('can be the ISO 8601 form %s', (text, same) => {
    expect(parseTimestamp(text)).toBe(Date.parse(same));
  });

  test.each([
    '',
    'now',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31T12Z',
    '2026-01-31 12:00:00Z',
    '2026-01-31t12:00:00Z',
    '2026-01-31T12:00:00z',
    '2026-1-31T12:00:00Z',
    '26-01-31T12:00:00Z',
    '+002026-01-31T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-13-10T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00.0123456789Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+02:60',
    '2026-01-31T12:00:00+2',
    '2026-01-31T12:00:00+02',
    '2026-01-31T12:00:00Z ',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z\n',
    '２０２６-01-31T12:00:00Z',
    '1769860800000',
  ])('cannot be %j', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });
});

describe('the validity of a request', () => {
  const now = Date.parse('2026-01-31T12:00:00.000Z');

  test('ends 5 minutes after its timestamp and begins 30 seconds before, both included', () => {
    expect([MAX_AGE_MS, MAX_AHEAD_MS]).toEqual([300_000, 30_000]);
    for (const age of [300_000, 0, 1, -1, -30_000]) expect(timestampProblem(now - age, now)).toBeNull();
    expect(timestampProblem(now - 300_001, now)).toMatchObject({ code: 'TIMESTAMP_TOO_OLD', status: 400 });
    expect(timestampProblem(now + 30_001, now)).toMatchObject({ code: 'TIMESTAMP_IN_FUTURE', status: 400 });
  });

  test('the error has the server time', () => {
    for (const timestamp of [0, now * 2]) {
      expect(timestampProblem(timestamp, now)?.details).toEqual({ server_time: '2026-01-31T12:00:00.000Z' });
    }
  });

  test('a nonce is kept while its request is valid, and for at least 10 minutes', () => {
    expect(NONCE_RETENTION_MS).toBeGreaterThan(MAX_AGE_MS + MAX_AHEAD_MS);
    expect(NONCE_RETENTION_MS).toBeGreaterThanOrEqual(600_000);
  });
});
