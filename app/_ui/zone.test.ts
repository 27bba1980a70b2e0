import { expect, test } from 'vitest';
import { offsetName, zoneName } from './zone.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

test('names the offset of a moment', () => {
  expect(offsetName(NOW, 'America/Sao_Paulo')).toBe('UTC-3');
  expect(offsetName(NOW, 'UTC')).toBe('UTC');
  expect(offsetName(NOW, 'Asia/Kolkata')).toBe('UTC+5:30');
});

test('names a zone with summer time by its place, because its offset changes', () => {
  expect(zoneName(NOW, 'America/Sao_Paulo')).toBe('UTC-3');
  expect(zoneName(NOW, 'America/New_York')).toBe('New York');
});
