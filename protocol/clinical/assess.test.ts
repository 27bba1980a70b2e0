import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../signing/canonical-json.ts';
import { assess, assessRecord } from './assess.ts';
import { bandsOf, boundsText, referenceRange } from './ranges.ts';
import { convert } from './units.ts';
import { meaningOf } from './value.ts';

const rangeOf = (ref_range: Record<string, Json> | null) => referenceRange({ ref_range, unit: 'ng/mL' });

const NUMBERS = { optimal_low: 40, optimal_high: 60, deficiency_high: 20, toxicity_low: 150 };

describe('a reference range', () => {
  test('is parsed from numbers, texts, or both', () => {
    expect(rangeOf({ optimal_low: 40, functional: '30–80', population: 'adults' })).toEqual({
      ranges: [
        { name: 'optimal', bounds: { low: 40, high: null }, text: null },
        { name: 'functional', bounds: null, text: '30–80' },
      ],
      unit: 'ng/mL',
      comparable: true,
      population: 'adults',
    });
  });

  test.each([
    ['functional', { low: 40, high: 60 }, '40 – 60'],
    ['functional', { low: null, high: 5 }, '≤ 5'],
    ['optimal', { low: 40, high: null }, '≥ 40'],
    ['deficiency', { low: null, high: 20 }, '< 20'],
    ['toxicity', { low: 150, high: null }, '> 150'],
    ['critical', { low: 2.5, high: 6.5 }, '< 2.5, > 6.5'],
    ['critical', { low: 2.5, high: null }, '< 2.5'],
  ] as const)('that is %s from %j is written as “%s”', (name, bounds, text) => {
    expect(boundsText(name, bounds)).toBe(text);
  });

  test('is null without any range', () => {
    for (const ranges of [null, {}, { unit: 'ng/mL' }, { optimal: null, optimal_low: null }, { optimal: ' ' }])
      expect(rangeOf(ranges)).toBeNull();
  });

  test('has bands that may be open at one end', () => {
    expect(bandsOf(rangeOf(NUMBERS), 'ng/mL')).toEqual([
      { name: 'optimal', low: 40, high: 60 },
      { name: 'deficiency', low: Number.NEGATIVE_INFINITY, high: 20 },
      { name: 'toxicity', low: 150, high: Number.POSITIVE_INFINITY },
    ]);
  });

  test('has no bands where its unit is not that of the value', () => {
    const range = rangeOf({ ...NUMBERS, unit: 'nmol/L' });
    expect(range).toMatchObject({ unit: 'nmol/L', comparable: false });
    expect(bandsOf(range, 'ng/mL')).toEqual([]);
    expect(assess(meaningOf(10), 'ng/mL', range)).toMatchObject({ unknown: 'unit', deviations: [], inside: null });
  });

  test('has no band where its side is unknown, or its bounds are reversed', () => {
    expect(bandsOf(rangeOf({ deficiency_low: 20 }), 'ng/mL')).toEqual([]);
    expect(bandsOf(rangeOf({ toxicity_high: 20 }), 'ng/mL')).toEqual([]);
    expect(bandsOf(rangeOf({ optimal_low: 60, optimal_high: 40 }), 'ng/mL')).toEqual([]);
  });
});

describe('a value', () => {
  const deviations = (value: number, ranges: Record<string, Json> | null) =>
    assess(meaningOf(value), 'ng/mL', rangeOf(ranges)).deviations.map(({ name, side }) => `${side} ${name}`);
  const inside = (value: number, ranges: Record<string, Json> | null) =>
    assess(meaningOf(value), 'ng/mL', rangeOf(ranges)).inside;

  test.each([
    [50, []],
    [40, []],
    [39.9, ['below optimal']],
    [61, ['above optimal']],
    [12, ['within deficiency', 'below optimal']],
    [200, ['within toxicity', 'above optimal']],
  ])('of %d deviates from every range that it is outside of: %j', (value, expected) => {
    expect(deviations(value, NUMBERS)).toEqual(expected);
  });

  test('deviates from the optimal and the functional range', () => {
    const both = { optimal_low: 40, optimal_high: 60, functional_low: 30, functional_high: 80 };
    expect(deviations(25, both)).toEqual(['below optimal', 'below functional']);
    expect(deviations(35, both)).toEqual(['below optimal']);
  });

  test('is in the optimal range, or else in the functional one', () => {
    expect(inside(50, { ...NUMBERS, functional_low: 30 })).toBe('optimal');
    expect(inside(35, { ...NUMBERS, functional_low: 30 })).toBe('functional');
    expect(inside(25, { ...NUMBERS, functional_low: 30 })).toBeNull();
  });

  test('has no position where the ranges contradict each other, or are texts', () => {
    for (const ranges of [{ optimal_low: 10, deficiency_high: 20 }, { optimal: '10–20' }, null]) {
      expect(deviations(15, ranges)).toEqual([]);
      expect(inside(15, ranges)).toBeNull();
    }
  });
});

describe('the assessment of a value', () => {
  const POTASSIUM = { functional_low: 3.5, functional_high: 5.1, critical_low: 2.5, critical_high: 6.5 };
  const assessed = (value: Json, ref_range: Record<string, Json>, unit = 'mmol/L') => {
    const { interpretation, unknown } = assessRecord({ value, unit, ref_range });
    return interpretation ?? unknown;
  };

  test.each([
    [1.9, 'LL'],
    [2.5, 'L'],
    [3.5, 'N'],
    [5.1, 'N'],
    ['6.5', 'H'],
    ['6.51', 'HH'],
    ['<2.5', 'LL'],
    ['< 3', 'L'],
    ['<3.6', 'limit'],
    ['≥ 3.5', 'limit'],
    ['>6.5', 'HH'],
    ['3.6-4.8', 'N'],
    ['3.2–4.8', 'limit'],
    ['haemolysed', 'notNumeric'],
    ['++', 'notNumeric'],
    ['4.100', 'N'],
    ['4,1', 'N'],
    ['4,100', 'uncertain'],
  ] as const)('of potassium %j is %s', (value, expected) => {
    expect(assessed(value, POTASSIUM)).toBe(expected);
  });

  test('flags a critical value even without a normal range', () => {
    expect(assessRecord({ value: 1.9, unit: 'mmol/L', ref_range: { critical_low: 2.5 } })).toEqual({
      interpretation: 'LL',
      unknown: null,
      deviations: [{ name: 'critical', side: 'below' }],
      inside: null,
    });
  });

  test('compares mass with substance where the biomarker has a molar mass', () => {
    const glucose = { unit: 'mmol/L', ref_range: { functional_low: 70, functional_high: 99, unit: 'mg/dL' } };
    const of = (biomarker: string | undefined, value: number) =>
      assessRecord({ ...glucose, ...(biomarker && { biomarker }), value }).interpretation;
    expect([of('BSP-GL-001', 3.8), of('BSP-GL-001', 5.4), of('BSP-GL-001', 5.6)]).toEqual(['L', 'N', 'H']);
    expect([of('BSP-LV-004', 5.4), of(undefined, 5.4)]).toEqual([null, null]);
  });

  test('takes a range that is open on a side as silent about that side', () => {
    expect(assessed(30, { functional_high: 99, critical_low: 50 }, 'mg/dL')).toBe('LL');
    expect(assessed(10, { functional_high: 99, deficiency_high: 20 }, 'mg/dL')).toBe('L');
    expect(assessed(120, { optimal_low: 40, functional_high: 60, critical_high: 100 }, 'mg/dL')).toBe('HH');
    expect(assessed(120, { functional_low: 40, critical_high: 100 }, 'mg/dL')).toBe('HH');
    expect(assessed(3.8, { functional_low: 3.5, functional_high: 5.1, critical_low: 4 })).toBe('contradictory');
    expect(assessRecord({ value: 30, unit: 'mg/dL', ref_range: { functional_high: 99, critical_low: 50 } })).toEqual({
      interpretation: 'LL',
      unknown: null,
      deviations: [{ name: 'critical', side: 'below' }],
      inside: null,
    });
  });

  test('takes a limit as not negative, unless the stated bounds are', () => {
    expect(assessed('<0.5', { functional_low: 0, functional_high: 5 })).toBe('N');
    expect(assessed('<0.5', { functional_low: -2, functional_high: 2 })).toBe('limit');
  });

  test('a bound of deficiency or toxicity is not yet deficient or toxic', () => {
    expect(assessed(20, { functional_low: 20, functional_high: 50, deficiency_high: 20 })).toBe('N');
    expect(assessed(50, { functional_low: 20, functional_high: 50, toxicity_low: 50 })).toBe('N');
  });

  test('compares with a range in another unit of the same kind only', () => {
    expect(assessed(1.9, { ...POTASSIUM, unit: 'mEq/L' })).toBe('unit');
    expect(assessed(0.0019, { ...POTASSIUM, unit: 'mmol/L' }, 'mol/L')).toBe('LL');
    expect(assessed(98, { functional_low: 0.7, functional_high: 0.99, unit: 'g/l' }, 'mg/dL')).toBe('N');
    expect(assessed(38.5, { functional_high: 99.5, unit: '°F' }, 'Cel')).toBe('H');
  });

  test('is the same in every unit that converts', () => {
    const units = ['g/L', 'g/dL', 'mg/L', 'mg/dL', 'ug/mL', 'ng/L', 'pg/mL'];
    const decimal = fc.integer({ min: 0, max: 99_999 }).map((whole) => whole / 100);
    fc.assert(
      fc.property(
        decimal,
        fc.array(decimal, { minLength: 4, maxLength: 4 }),
        fc.constantFrom(...units),
        (value, bounds, unit) => {
          const [critical_low = 0, functional_low = 0, functional_high = 0, critical_high = 0] = bounds.toSorted(
            (a, b) => a - b,
          );
          const ref_range = { critical_low, functional_low, functional_high, critical_high, unit: 'mg/dL' };
          const own = assessRecord({ value, unit: 'mg/dL', ref_range });
          const converted = convert(value, 'mg/dL', unit);
          expect(assessRecord({ value: converted ?? 0, unit, ref_range })).toEqual(own);
        },
      ),
    );
  });
});
