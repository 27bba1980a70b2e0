import { describe, expect, test } from 'vitest';
import { preferredLanguage } from './language.ts';

describe('the language a browser prefers', () => {
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
  ])('%j is %s', (header, locale) => {
    expect(preferredLanguage(header)).toBe(locale);
  });
});
