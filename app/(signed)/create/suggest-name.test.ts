import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../messages/languages.ts';
import { domainProblem } from '../../../protocol/domains.ts';
import { NAME_WORDS } from './name-words.ts';
import { suggestName } from './suggest-name.ts';

describe.each(LANGUAGES)('a suggested name in %s', (locale) => {
  test('is three different words and a number, and a valid name', () => {
    for (let time = 0; time < 200; time++) {
      const name = suggestName(locale);
      expect(name).toMatch(/^[a-z]+-[a-z]+-[a-z]+-[1-9]\d$/);
      expect(new Set(name.split('-')).size).toBe(4);
      expect(domainProblem(`${name}.bsp`, 'bsp')).toBeNull();
    }
  });

  test('is one of many, so that collisions are unlikely', () => {
    const words = NAME_WORDS[locale];
    expect(new Set(words).size).toBe(words.length);
    expect(words.length ** 3 * 90).toBeGreaterThan(40_000_000);
    expect(new Set(Array.from({ length: 200 }, () => suggestName(locale))).size).toBeGreaterThan(195);
  });
});
