import { expect, test } from 'vitest';
import { dateFormat, listFormat, numberFormat } from './formats.ts';

test('caches a format by language and options', () => {
  const inUtc = dateFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  expect(dateFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })).toBe(inUtc);
  const late = Date.UTC(2026, 2, 4, 23);
  expect(inUtc.format(late)).toBe('4 March 2026');
  expect(dateFormat('es', { dateStyle: 'long', timeZone: 'UTC' }).format(late)).toBe('4 de marzo de 2026');
  expect(dateFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Tokyo' }).format(late)).toBe('5 March 2026');
  expect(numberFormat('pt-BR', {}).format(1_234.5)).toBe('1.234,5');
  expect(listFormat('es', {}).format(['a', 'b', 'c'])).toBe('a, b y c');
});
