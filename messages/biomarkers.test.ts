import { describe, expect, test } from 'vitest';
import taxonomy from '../protocol/records/taxonomy.json' with { type: 'json' };
import { biomarkerName, LEVELS } from '../protocol/records/taxonomy.ts';
import { LANGUAGES } from './languages.ts';
import { biomarkerNamesIn, messagesIn } from './messages.ts';

const codes = taxonomy.categories.flatMap(({ biomarkers }) => biomarkers.map(({ code }) => code));

test('English names come from the taxonomy, so that English pages receive none', () => {
  expect(biomarkerNamesIn('en')).toEqual({});
  for (const code of codes) expect(biomarkerName(code)).not.toBe(code);
});

describe.each(LANGUAGES.filter((locale) => locale !== 'en'))('in %s', (locale) => {
  const names = biomarkerNamesIn(locale);

  test('every biomarker of the taxonomy has a name, and no other code has one', () => {
    expect(Object.keys(names).sort()).toEqual(codes.toSorted());
    for (const name of Object.values(names)) expect(name).toMatch(/^\S.*\S$/);
  });

  test('the biomarkers of a category have different names', () => {
    for (const { code, biomarkers } of taxonomy.categories) {
      expect([code, new Set(biomarkers.map((biomarker) => names[biomarker.code])).size]).toEqual([
        code,
        biomarkers.length,
      ]);
    }
  });

  test('names keep the numbers and Greek letters that distinguish them', () => {
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
