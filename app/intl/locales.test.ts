import { describe, expect, test } from 'vitest';
import { localeOf } from './locales.ts';

describe('the language of a page', () => {
  test('is the one asked for in the address, whatever the browser prefers', () => {
    expect(localeOf('/guardian/accept/abc', 'es', 'pt-BR')).toBe('es');
    expect(localeOf('/recover', 'en', 'pt-BR')).toBe('en');
  });

  test('is the one the browser prefers where none, or none of ours, is asked for', () => {
    expect(localeOf('/guardian/confirm-recovery/abc', null, 'pt-BR')).toBe('pt-BR');
    expect(localeOf('/guardian/accept/abc', 'klingon', 'es')).toBe('es');
    expect(localeOf('/guardian/accept/abc', 'PT-br', null)).toBe('en');
  });

  test('is English where nobody has translated it yet', () => {
    for (const path of ['/', '/guardian', '/guardian/accept', '/guardian/accept/a/b', '/recovery', '/api/ledger']) {
      expect(localeOf(path, 'es', 'es')).toBe('en');
    }
  });
});
