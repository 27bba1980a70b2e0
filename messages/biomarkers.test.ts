import { describe, expect, test } from 'vitest';
import taxonomy from '../protocol/records/taxonomy.json' with { type: 'json' };
import { biomarkerName, LEVELS } from '../protocol/records/taxonomy.ts';
import { LANGUAGES } from './languages.ts';
import { biomarkerNamesIn, messagesIn } from './messages.ts';

const codes = taxonomy.categories.flatMap(({ biomarkers }) => biomarkers.map(({ code }) => code));

test('English is the taxonomy’s own language, and pages in it are sent nothing', () => {
  expect(biomarkerNamesIn('en')).toEqual({});
  for (const code of codes) expect(biomarkerName(code)).not.toBe(code);
});

describe.each(LANGUAGES.filter((locale) => locale !== 'en'))('in %s', (locale) => {
  const names = biomarkerNamesIn(locale);

  test('every biomarker of the taxonomy has a name, and nothing else has', () => {
    expect(Object.keys(names).sort()).toEqual(codes.toSorted());
    for (const name of Object.values(names)) expect(name).toMatch(/^\S.*\S$/);
  });

  test('one category calls no two biomarkers the same', () => {
    for (const { code, biomarkers } of taxonomy.categories) {
      expect([code, new Set(biomarkers.map((one) => names[one.code])).size]).toEqual([code, biomarkers.length]);
    }
  });

  test('what is in parentheses to tell it from others is still there: numbers and Greek letters', () => {
    const marks = (text: string | undefined) => text?.match(/\d+|[α-ω]/gu)?.toSorted() ?? [];
    for (const code of codes) expect([code, ...marks(names[code])]).toEqual([code, ...marks(biomarkerName(code))]);
  });
});

test.each(LANGUAGES)('every category has a name in %s', (locale) => {
  expect(Object.keys(messagesIn(locale).scope.category).sort()).toEqual(
    [...taxonomy.categories.map(({ code }) => code), '*'].sort(),
  );
});

test.each(LANGUAGES)('every level has a name in %s', (locale) => {
  expect(Object.keys(messagesIn(locale).scope.level).sort()).toEqual(LEVELS.toSorted());
});
