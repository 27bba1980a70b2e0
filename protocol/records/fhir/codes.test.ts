import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ucumOf } from '../../clinical/units.ts';
import { biomarkerOf } from '../taxonomy.ts';
import { type CodeRow, codeRowOf, codeRowsOfLoinc } from './codes.ts';

interface Codes {
  notice: string;
  sources: Record<string, string>;
  rows: CodeRow[];
}

const jsonOf = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const { notice, sources, rows }: Codes = jsonOf('codes.json');
/** Terms that are read but not written. */
const others: Pick<Codes, 'sources'> & {
  rows: (Pick<CodeRow, 'biomarker' | 'property' | 'loinc' | 'source'> & { units?: string[] })[];
} = jsonOf('other-codes.json');

const MARKS: Record<string, string> = {
  MCnc: '[Mass/volume]',
  SCnc: '[Moles/volume]',
  NCnc: '[#/volume]',
  ACnc: '[Units/volume]',
  CCnc: '[Enzymatic activity/volume]',
};

/** LOINC Users' Guide, "check digit": mod 10, every other digit doubled, from the right. */
function checkDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

describe('the terms of LOINC', () => {
  const written = rows.flatMap(({ loinc, components = {} }) => [...loinc, ...Object.values(components)]);
  const terms = [...written, ...others.rows.flatMap(({ loinc }) => loinc)];

  test('checkDigit agrees with known codes', () => {
    expect(['2345', '718', '59260', '85354'].map(checkDigit)).toEqual(['7', '7', '0', '9']);
  });

  test.each(rows.map((row) => [row.biomarker, row] as const))('a row for %s is complete', (biomarker, row) => {
    expect(biomarkerOf(biomarker)).not.toBeNull();
    expect(row.loinc.length).toBeGreaterThan(0);
    expect(row.units.length).toBeGreaterThan(0);
    expect(row.property).toMatch(/^[A-Z][A-Za-z]+$/);
    expect(['laboratory', 'vital-signs', 'activity']).toContain(row.category);
    expect(Object.keys(sources)).toContain(row.source);
  });

  test('have valid check digits and names', () => {
    for (const { code, name } of terms) {
      const [, number = '', digit] = /^(\d{3,6})-(\d)$/.exec(code) ?? [];
      expect([code, digit]).toEqual([code, checkDigit(number)]);
      expect(name).toMatch(/^[\x20-\x7e]{5,200}$/);
    }
  });

  test('have one name each', () => {
    const names = new Map(terms.map(({ code, name }) => [code, name]));
    expect(terms.filter(({ code, name }) => names.get(code) !== name)).toEqual([]);
  });

  test('name the kind of their property: mass, substance, number or activity', () => {
    for (const { property, loinc } of rows) {
      const mark = MARKS[property];
      for (const { name } of loinc) {
        if (mark) expect(name).toContain(mark);
        else expect(Object.values(MARKS).filter((candidate) => name.includes(candidate))).toEqual([]);
      }
    }
  });

  test('are unique for a biomarker and a unit', () => {
    const keys = rows.flatMap(({ biomarker, units }) => units.map((unit) => `${biomarker} ${unit}`));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test('come with the notice that their licence requires', () => {
    expect(notice).toMatch(/LOINC is copyright © Regenstrief Institute.*http:\/\/loinc\.org\/license/);
  });
});

describe('the terms that are read beside those that are written', () => {
  test('have a source, the property of their row, and units', () => {
    for (const { biomarker, property, loinc, source } of others.rows) {
      expect(biomarkerOf(biomarker)).not.toBeNull();
      expect(Object.keys(others.sources)).toContain(source);
      for (const { code, name } of loinc) {
        const found = codeRowsOfLoinc(code).find((row) => row.biomarker === biomarker);
        expect([code, found?.property]).toEqual([code, property]);
        expect([code, found?.units]).not.toEqual([code, []]);
        expect([name, name.includes(MARKS[property] ?? '')]).toEqual([name, true]);
      }
    }
  });

  test('are none of those, and belong to several biomarkers only where one of those does', () => {
    const isWritten = new Set(rows.flatMap(({ loinc }) => loinc.map(({ code }) => code)));
    const biomarkersOf = (code: string) => [...new Set(codeRowsOfLoinc(code).map((row) => row.biomarker))].join(' ');
    const shared = new Set([...isWritten].map(biomarkersOf));
    for (const { code } of others.rows.flatMap(({ loinc }) => loinc)) {
      expect([code, isWritten.has(code)]).toEqual([code, false]);
      const biomarkers = biomarkersOf(code);
      if (biomarkers.includes(' ')) expect([code, shared.has(biomarkers)]).toEqual([code, true]);
    }
  });

  test.each([
    ['6690-2', 'BSP-HM-008'],
    ['13457-7', 'BSP-LP-003'],
    ['17856-6', 'BSP-GL-002'],
    ['62238-1', 'BSP-RN-003'],
    ['14937-7', 'BSP-RN-002'],
  ])('%s is %s', (code, biomarker) => {
    expect(codeRowsOfLoinc(code).map((row) => row.biomarker)).toEqual([biomarker]);
  });

  test.each([
    ['2345-7', 'glucose at any time'],
    ['1557-8', 'fasting glucose in venous blood'],
    ['2161-8', 'creatinine in urine'],
    ['6298-4', 'potassium in blood'],
    ['30313-1', 'hemoglobin in arterial blood'],
    ['3091-6', 'urea, not its nitrogen'],
    ['62388-4', 'HbA1c on the Japanese scale'],
    ['48643-1', 'a filtration rate of some people only'],
    ['50384-7', 'a filtration rate of children only'],
    ['76633-7', 'a filtration rate in whole blood'],
    ['21000-5', 'the width of erythrocytes as a volume'],
  ])('do not have %s: %s', (code) => {
    expect(codeRowsOfLoinc(code)).toEqual([]);
  });
});

test('the units of the rows are units of the table', () => {
  expect([...rows, ...others.rows].flatMap(({ units = [] }) => units).filter((unit) => ucumOf(unit) !== unit)).toEqual(
    [],
  );
});

test('a row is found by biomarker and unit', () => {
  expect(codeRowOf('BSP-GL-001', 'mg/dL')?.loinc[0]?.code).toBe('1558-6');
  expect(codeRowOf('BSP-GL-001', 'mmol/L')?.loinc[0]?.code).toBe('14771-0');
  expect(codeRowOf('BSP-GL-001', undefined)).toBeUndefined();
  expect(codeRowOf('BSP-LA-001', 'pg/mL')).toBeUndefined();
});
