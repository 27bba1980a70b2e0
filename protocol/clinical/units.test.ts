import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import { describe, expect, test } from 'vitest';
import { biomarkerOf, listedUnits } from '../records/taxonomy.ts';
import substances from './substances.json' with { type: 'json' };
import units from './units.json' with { type: 'json' };
import { convert, isSameUnit, ucumOf } from './units.ts';

/** The UCUM library of the U.S. National Library of Medicine. */
const ucum = UcumLhcUtils.getInstance();

/**
 * IUPAC, standard atomic weights of 2021 to three decimals, the conventional value where IUPAC states an interval.
 * https://doi.org/10.1515/pac-2019-0603
 */
const ATOMIC_WEIGHTS: Readonly<Record<string, number>> = {
  H: 1.008,
  C: 12.011,
  N: 14.007,
  O: 15.999,
  Na: 22.99,
  Mg: 24.305,
  P: 30.974,
  S: 32.06,
  Cl: 35.45,
  K: 39.098,
  Ca: 40.078,
  Fe: 55.845,
  Co: 58.933,
  Cu: 63.546,
  Zn: 65.38,
  Se: 78.971,
  I: 126.904,
};

describe('the units', () => {
  test('are UCUM units', () => {
    const isUcum = (unit: string) => ucum.validateUnitString(unit).status === 'valid';
    expect(units.flatMap(({ ucum: unit }) => (isUcum(unit) ? [] : unit))).toEqual([]);
  });

  test('convert as in the UCUM library, which converts no arbitrary units', () => {
    const pairs = units.flatMap((from) =>
      units.flatMap((to) => (from !== to && from.dimension === to.dimension ? [[from.ucum, to.ucum] as const] : [])),
    );
    const compared = pairs.filter(([from]) => !from.includes('[IU]'));
    for (const [from, to] of compared) {
      const expected = ucum.convertUnitTo(from, 7, to).toVal;
      expect([from, to, convert(7, from, to)?.toPrecision(9)]).toEqual([from, to, expected?.toPrecision(9)]);
    }
    expect(compared.length).toBeGreaterThan(300);
  });

  test('convert with each molar mass and valence as in the UCUM library', () => {
    for (const { biomarkers, molarMass, valence } of substances) {
      for (const biomarker of biomarkers) {
        const expected = ucum.convertUnitTo('mg/dL', 7, 'mmol/L', { molecularWeight: molarMass }).toVal;
        expect([biomarker, convert(7, 'mg/dL', 'mmol/L', biomarker)?.toPrecision(9)]).toEqual([
          biomarker,
          expected?.toPrecision(9),
        ]);
        expect(biomarkerOf(biomarker)).not.toBeNull();
        const [usual = ''] = listedUnits(biomarker);
        expect([usual, convert(1, usual, 'mmol/L', biomarker) === null]).toEqual([usual, false]);
        if (valence !== undefined) expect(convert(7, 'mmol/L', 'meq/L', biomarker)).toBe(7 * valence);
      }
    }
  });

  test('have molar masses that follow from the formulas', () => {
    for (const { formula, molarMass } of substances) {
      const parts = [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)];
      const mass = parts.reduce((sum, [, element = '', count]) => {
        return sum + (ATOMIC_WEIGHTS[element] ?? Number.NaN) * Number(count || 1);
      }, 0);
      expect([formula, parts.map(([part]) => part).join(''), mass.toFixed(3)]).toEqual([
        formula,
        formula,
        molarMass.toFixed(3),
      ]);
    }
  });

  test('have spellings that belong to only one unit', () => {
    for (const { ucum, spellings } of units)
      for (const spelling of [ucum, ...spellings]) expect(ucumOf(spelling)).toBe(ucum);
  });

  test.each([
    ['µUI/mL', 'u[IU]/mL'],
    ['mUI/mL', 'm[IU]/mL'],
    ['10³/µL', '10*3/uL'],
    ['x10^3/uL', '10*3/uL'],
    ['10E3/uL', '10*3/uL'],
    ['10¹²/L', '10*12/L'],
    ['/mm³', '/mm3'],
    ['mil/mm³', '10*3/uL'],
    ['mg / dl', 'mg/dL'],
    ['mcg/dL', 'ug/dL'],
    ['mL/min/1.73m²', 'mL/min/{1.73_m2}'],
    ['mg/24h', 'mg/d'],
    ['ºC', 'Cel'],
    ['MMOL/L', 'mmol/L'],
  ])('%s is %s', (spelling, ucum) => {
    expect(ucumOf(spelling)).toBe(ucum);
  });

  test('are recognised with both characters for micro and with surrounding space', () => {
    expect([ucumOf('\u00b5g/L'), ucumOf('\u03bcg/L'), ucumOf(' ug/L '), ucumOf('mcg/L')]).toEqual(
      Array(4).fill('ug/L'),
    );
  });

  test('are case-sensitive, which distinguishes mega from milli, except in the forms that only case-insensitive UCUM has', () => {
    expect([ucumOf('MG/L'), ucumOf('G/L'), ucumOf('points'), ucumOf('constructor')]).toEqual(Array(4).fill(undefined));
    expect([ucumOf('MG/DL'), ucumOf('NG/ML'), ucumOf('G/DL')]).toEqual(['mg/dL', 'ng/mL', 'g/dL']);
  });
});

describe('a conversion', () => {
  test.each([
    [29.9, 'ng/mL', 'ug/L', 29.9],
    [98.5, 'mg/dL', 'g/L', 0.985],
    [1.1, 'g/dL', 'mg/dL', 1100],
    [42, '%', 'L/L', 0.42],
    [250, '10³/µL', '10^9/L', 250],
    [250_000, '/mm³', '10³/µL', 250],
    [98.6, '°F', '°C', 37],
    [37, 'Cel', '[degF]', 98.6],
    [16, 'kPa', 'mmHg', 120.010200867],
    [7.5, 'h', 'minutes', 450],
    [2.1, 'mUI/L', 'µUI/mL', 2.1],
  ])('%d %s in %s is %d', (value, from, to, expected) => {
    expect(convert(value, from, to)).toBe(expected);
  });

  test('is refused between kinds: mass and substance, charge and substance, a count and a concentration', () => {
    for (const [from, to] of [
      ['mg/dL', 'mmol/L'],
      ['meq/L', 'mmol/L'],
      ['10*9/L', 'mmol/L'],
      ['mmol/mol', '%'],
      ['points', 'mg/dL'],
    ] as const)
      expect(convert(1, from, to)).toBeNull();
  });

  test.each([
    ['BSP-GL-001', 100, 'mg/dL', 'mmol/L', 5.55],
    ['BSP-RN-001', 1, 'mg/dL', 'µmol/L', 88.4],
    ['BSP-RN-002', 14, 'mg/dL', 'mmol/L', 5],
    ['BSP-LP-001', 200, 'mg/dL', 'mmol/L', 5.17],
    ['BSP-LP-004', 150, 'mg/dL', 'mmol/L', 1.69],
    ['BSP-MN-001', 2, 'mg/dL', 'mEq/L', 1.65],
    ['BSP-MN-007', 4.1, 'mEq/L', 'mmol/L', 4.1],
    ['BSP-MN-009', 10, 'mg/dL', 'mmol/L', 2.5],
    ['BSP-VT-001', 30, 'ng/mL', 'nmol/L', 74.9],
    ['BSP-HR-002', 1.2, 'ng/dL', 'pmol/L', 15.4],
    ['BSP-HR-009', 10, 'ug/dL', 'nmol/L', 276],
  ])('of %s: %d %s in %s is %d', (biomarker, value, from, to, expected) => {
    expect(Number(convert(value, from, to, biomarker)?.toPrecision(3))).toBe(expected);
  });

  test('of mass, substance and charge is refused without a molar mass or valence', () => {
    expect(convert(4, 'g/dL', 'umol/L', 'BSP-LV-004')).toBeNull();
    expect(convert(100, 'mg/dL', 'meq/L', 'BSP-GL-001')).toBeNull();
    expect(convert(38, 'mmol/mol', '%', 'BSP-GL-002')).toBeNull();
  });

  test('needs no table where both are the same text', () => {
    expect(convert(3, 'points', 'points')).toBe(3);
    expect([isSameUnit('points', 'points'), isSameUnit('uIU/mL', 'µUI/mL'), isSameUnit('points', 'score')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
