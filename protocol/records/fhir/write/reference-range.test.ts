import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../signing/message.ts';
import { interpretation, referenceRanges } from './reference-range.ts';

const interpret = (value: number, ref_range: JsonObject | null, unit = 'ng/mL') =>
  interpretation({ value, ref_range, unit })?.map(
    ({ coding }) => (coding as unknown as { code: string }[])[0]?.code,
  )[0];

describe('the interpretation of a value', () => {
  const functional = { functional_low: 30, functional_high: 80 };

  test.each([
    [29.9, 'L'],
    [30, 'N'],
    [80, 'N'],
    [80.1, 'H'],
  ])('%d against 30 to 80 is %s', (value, verdict) => {
    expect(interpret(value, functional)).toBe(verdict);
  });

  test('needs only one bound', () => {
    expect(interpret(120, { functional_high: 100 })).toBe('H');
    expect(interpret(80, { functional_high: 100 })).toBe('N');
    expect(interpret(10, { functional_low: 20 })).toBe('L');
  });

  test('does not use the optimal range, which is a goal', () => {
    expect(interpret(45, { ...functional, optimal_low: 50, optimal_high: 70 })).toBe('N');
    for (const value of [45, 60, 75]) expect(interpret(value, { optimal_low: 50, optimal_high: 70 })).toBeUndefined();
  });

  test.each([
    [39.9, 'LL'],
    [40, undefined],
    [400, undefined],
    [400.1, 'HH'],
  ])('%d against critical values of 40 and 400 is %s', (value, verdict) => {
    expect(interpret(value, { critical_low: 40, critical_high: 400 })).toBe(verdict);
  });

  test('is critical rather than low or high, and absent if a critical value is within the normal range', () => {
    const critical = { critical_low: 10, critical_high: 120 };
    expect([9, 20, 50, 100, 121].map((value) => interpret(value, { ...functional, ...critical }))).toEqual([
      'LL',
      'L',
      'N',
      'H',
      'HH',
    ]);
    expect(interpret(5, { critical_low: 10, deficiency_high: 20 })).toBe('LL');
    expect(interpret(50, { ...functional, critical_low: 60 })).toBeUndefined();
    expect(interpret(50, { critical_low: 60, critical_high: 40 })).toBeUndefined();
  });

  test('uses the deficiency and toxicity bounds', () => {
    expect(interpret(15, { deficiency_high: 20 })).toBe('L');
    expect(interpret(160, { toxicity_low: 150 })).toBe('H');
    expect(interpret(160, { ...functional, toxicity_low: 150 })).toBe('H');
    expect(interpret(50, { deficiency_high: 20, toxicity_low: 150 })).toBeUndefined();
  });

  test('is absent if ranges are contradictory', () => {
    expect(interpret(40, { ...functional, toxicity_low: 35 })).toBeUndefined();
    expect(interpret(40, { functional_low: 80, functional_high: 30 })).toBeUndefined();
  });

  test('is absent for a range in text, without a range, and in another unit', () => {
    expect(interpret(40, { functional: '30-80' })).toBeUndefined();
    expect(interpret(40, null)).toBeUndefined();
    expect(interpret(40, { ...functional, unit: 'nmol/L' })).toBeUndefined();
    expect(interpret(40, { ...functional, unit: 'ng/ml' })).toBe('N');
  });
});

describe('the ranges of an Observation', () => {
  test('are quantities in the unit of the range, or of the value', () => {
    expect(
      referenceRanges({ ref_range: { optimal_low: 50, unit: 'nmol/L', population: 'adults' }, unit: 'ng/mL' }),
    ).toMatchObject([
      {
        low: { value: 50, unit: 'nmol/L', code: 'nmol/L' },
        type: { text: 'optimal' },
        appliesTo: [{ text: 'adults' }],
      },
    ]);
    expect(referenceRanges({ ref_range: { functional_high: 80 }, unit: 'ng/mL' })).toMatchObject([
      { high: { value: 80, unit: 'ng/mL' } },
    ]);
  });

  test('include the critical values', () => {
    expect(referenceRanges({ ref_range: { critical_low: 40, critical_high: 400 }, unit: 'ng/mL' })).toMatchObject([
      { low: { value: 40 }, high: { value: 400 }, type: { text: 'critical' } },
    ]);
  });

  test('are texts with their unit if they were submitted as texts', () => {
    expect(
      referenceRanges({ ref_range: { optimal: '50–70', toxicity: '> 150 ng/mL', unit: 'ng/mL' }, unit: 'ng/mL' }),
    ).toMatchObject([
      { text: '50–70 ng/mL', type: { text: 'optimal' } },
      { text: '> 150 ng/mL', type: { text: 'toxicity' } },
    ]);
  });

  test('are absent without a bound or text', () => {
    for (const ref_range of [
      null,
      {},
      { unit: 'ng/mL', population: 'adults' },
      { optimal: ' ', functional_low: null },
    ]) {
      expect(referenceRanges({ ref_range, unit: 'ng/mL' })).toBeUndefined();
    }
  });
});
