import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ucumOf } from '../../clinical/units.ts';
import { biomarkerOf } from '../taxonomy.ts';
import { type CodeRow, codeRowOf } from './codes.ts';

interface Codes {
  notice: string;
  sources: Record<string, string>;
  rows: CodeRow[];
}

const { notice, sources, rows }: Codes = JSON.parse(readFileSync(new URL('codes.json', import.meta.url), 'utf8'));

/** LOINC Users' Guide, "check digit": mod 10, every other digit doubled, from the right. */
function checkDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const weighted = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

describe('the terms of LOINC', () => {
  const terms = rows.flatMap(({ loinc, components = {} }) => [...loinc, ...Object.values(components)]);

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
    const marks: Record<string, string> = {
      MCnc: '[Mass/volume]',
      SCnc: '[Moles/volume]',
      NCnc: '[#/volume]',
      ACnc: '[Units/volume]',
      CCnc: '[Enzymatic activity/volume]',
    };
    for (const { property, loinc } of rows) {
      const mark = marks[property];
      for (const { name } of loinc) {
        if (mark) expect(name).toContain(mark);
        else expect(Object.values(marks).filter((candidate) => name.includes(candidate))).toEqual([]);
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

test('the units of the rows are units of the table', () => {
  expect(rows.flatMap(({ units }) => units).filter((unit) => ucumOf(unit) !== unit)).toEqual([]);
});

test('a row is found by biomarker and unit', () => {
  expect(codeRowOf('BSP-GL-001', 'mg/dL')?.loinc[0]?.code).toBe('1558-6');
  expect(codeRowOf('BSP-GL-001', 'mmol/L')?.loinc[0]?.code).toBe('14771-0');
  expect(codeRowOf('BSP-GL-001', undefined)).toBeUndefined();
  expect(codeRowOf('BSP-LA-001', 'pg/mL')).toBeUndefined();
});
