import { describe, expect, test } from 'vitest';
import { languageOf, preferredLanguage } from './preferred-language.ts';

describe('preferredLanguage', () => {
  test.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['es-MX,es;q=0.9', 'es'],
    ['ES-419', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['de-CH, de;q=0.9, es;q=0.5, en;q=0.4', 'es'],
    ['en;q=0.3, es;q=0.7', 'es'],
    ['es ; q=0.2 , pt ; q=0.9', 'pt-BR'],
    ['es;q=0, pt;q=0.1', 'pt-BR'],
    ['estonian', 'en'],
    ['de, fr', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [';;,q=,;q=x', 'en'],
  ])('%j: %s', (header, locale) => {
    expect(preferredLanguage(header)).toBe(locale);
  });
});

describe('languageOf', () => {
  test('returns the language in the address, whatever the browser prefers', () => {
    expect(languageOf('es', 'pt-BR')).toBe('es');
    expect(languageOf('en', 'pt-BR')).toBe('en');
  });

  test('returns the language that the browser prefers if the address has none or an unknown one', () => {
    expect(languageOf(null, 'pt-BR')).toBe('pt-BR');
    expect(languageOf('klingon', 'es')).toBe('es');
    expect(languageOf('PT-br', null)).toBe('en');
  });
});
