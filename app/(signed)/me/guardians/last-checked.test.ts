import { expect, test } from 'vitest';
import { lastChecked } from './last-checked.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');

test('until a guardian checks the key, the acceptance counts as the last time', () => {
  expect(lastChecked(null, '2026-11-01T10:00:00.000Z', NOW)).toEqual({ at: '2026-11-01T10:00:00.000Z', isLong: false });
  expect(lastChecked('2026-11-20', '2025-01-01T10:00:00.000Z', NOW)).toEqual({ at: '2026-11-20', isLong: false });
  expect(lastChecked(null, null, NOW)).toBeNull();
});

test('a guardian who last checked the key more than 182 days ago is asked again', () => {
  expect(lastChecked('2026-05-30', null, NOW)?.isLong).toBe(false);
  expect(lastChecked('2026-05-28', null, NOW)?.isLong).toBe(true);
});
