import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { biomarkerName, biomarkerOf, CATEGORIES, categoryOf, isCategory, LEVELS, levelOf } from './taxonomy.ts';

interface Listed {
  categories: { code: string; level: string; biomarkers: { code: string; name: string; longName?: string }[] }[];
}

const { categories }: Listed = JSON.parse(readFileSync('protocol/records/taxonomy.json', 'utf8'));

describe('the taxonomy', () => {
  test('has every category once, with its level', () => {
    expect(CATEGORIES).toEqual(categories.map(({ code }) => code));
    expect(new Set(CATEGORIES).size).toBe(26);
    for (const { code, level } of categories) {
      expect(code).toMatch(/^BSP-[A-Z]{2}$/);
      expect(isCategory(code)).toBe(true);
      expect(levelOf(code)).toBe(level);
    }
    expect(LEVELS).toEqual(['CORE', 'STANDARD', 'EXTENDED', 'DEVICE']);
  });

  test('has every biomarker once, in the category that its code names', () => {
    const listed = categories.flatMap(({ code, biomarkers }) =>
      biomarkers.map((biomarker) => ({ category: code, ...biomarker })),
    );
    expect(new Set(listed.map(({ code }) => code)).size).toBe(listed.length);
    for (const { category, code, name, longName } of listed) {
      expect(categoryOf(code)).toBe(category);
      expect(biomarkerOf(code)).toEqual({ name, longName: longName ?? null });
    }
  });

  test('has the names of biomarkers, and long names for some', () => {
    expect(biomarkerOf('BSP-LA-001')).toEqual({ name: 'GDF-11', longName: 'Growth Differentiation Factor 11' });
    expect(biomarkerOf('BSP-HM-001')).toMatchObject({ longName: null });
    expect(['BSP-CV-001', 'BSP-VT-002', 'BSP-VT-999'].map(biomarkerName)).toEqual([
      'Apolipoprotein B',
      'Vitamin B12',
      'BSP-VT-999',
    ]);
  });

  test('finds the category of a code that is not listed', () => {
    expect(biomarkerOf('BSP-LA-999')).toBeNull();
    expect(categoryOf('BSP-LA-999')).toBe('BSP-LA');
    expect(categoryOf('BSP-PR-001')).toBe('BSP-PR');
  });

  test.each([
    'BSP-ZZ-001',
    'BSP-LA',
    'BSP-LA-',
    'BSP-LA-01',
    'BSP-LA-0001',
    'BSP-LA-00١',
    'BSP-LA-001\n',
    ' BSP-LA-001',
    'bsp-la-001',
    'XXX-LA-001',
    'constructor',
    '',
  ])('has no biomarker or category for %j', (code) => {
    expect(categoryOf(code)).toBeNull();
    expect(biomarkerOf(code)).toBeNull();
  });

  test.each(['*', 'BSP-ZZ', 'bsp-la', 'BSP-LA ', 'BSP-LA-001', 'constructor', ''])('has no category %j', (code) => {
    expect(isCategory(code)).toBe(false);
    expect(levelOf(code)).toBeNull();
  });
});
