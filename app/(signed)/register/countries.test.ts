import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../messages/languages.ts';
import { countryName } from '../../_ui/country-name.ts';
import { COUNTRY_CODES, countriesIn } from './countries.ts';

test('every country of ISO 3166-1 is there once, with a name in each language', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(249);
  for (const locale of LANGUAGES) {
    const unnamed = countriesIn(locale).filter(({ code, name }) => name === code);
    expect(unnamed, locale).toEqual([]);
  }
});

test('the countries are sorted by the rules of the language', () => {
  const names = countriesIn('es').map(({ name }) => name);
  expect(names[0]).toBe('Afganistán');
  expect(names.indexOf('España')).toBeLessThan(names.indexOf('Estados Unidos'));
  expect(countriesIn('pt-BR')[0]?.name).toBe('Afeganistão');
});

test('a country is named in the language of the reader, and any other text stays as it was registered', () => {
  expect(countryName('BR', 'en')).toBe('Brazil');
  expect(countryName('BR', 'pt-BR')).toBe('Brasil');
  for (const text of ['Brasil', 'br', 'QZ', 'ES, Madrid', '']) expect(countryName(text, 'en')).toBe(text);
});
