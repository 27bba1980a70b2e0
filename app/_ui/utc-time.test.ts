import { expect, test } from 'vitest';
import { utcTime } from './utc-time.ts';

test('a time in UTC has a day, and hours from 0 to 23', () => {
  expect(utcTime('en-GB', '2026-11-20T00:03:20.500Z')).toBe('20 Nov 2026, 00:03:20');
  expect(utcTime('es', '2026-11-20T23:03:20.000Z')).toBe('20 nov 2026, 23:03:20');
});
