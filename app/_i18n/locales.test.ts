import { describe, expect, test } from 'vitest';
import { localeOf } from './locales.ts';

describe('the language of a page', () => {
  test('is the one asked for in the address, whatever the browser prefers', () => {
    expect(localeOf('es', 'pt-BR')).toBe('es');
    expect(localeOf('en', 'pt-BR')).toBe('en');
  });

  test('is the one the browser prefers where none, or none of ours, is asked for', () => {
    expect(localeOf(null, 'pt-BR')).toBe('pt-BR');
    expect(localeOf('klingon', 'es')).toBe('es');
    expect(localeOf('PT-br', null)).toBe('en');
  });
});
