import { expect, test } from 'vitest';
import { lastShown } from './last-shown.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');

test('until a guardian shows the key, the acceptance counts as the last time', () => {
  expect(lastShown(null, '2026-11-01T10:00:00.000Z', NOW)).toEqual({ at: '2026-11-01T10:00:00.000Z', isLong: false });
  expect(lastShown('2026-11-20', '2025-01-01T10:00:00.000Z', NOW)).toEqual({ at: '2026-11-20', isLong: false });
  expect(lastShown(null, null, NOW)).toBeNull();
});

test('a guardian who last showed the key more than 182 days ago is asked again', () => {
  expect(lastShown('2026-05-30', null, NOW)?.isLong).toBe(false);
  expect(lastShown('2026-05-28', null, NOW)?.isLong).toBe(true);
});
