import { describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { bandsOf, deviationsOf, normalRangeOf, referenceRange } from './reference-range.ts';

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

  test('is null without any range', () => {
    for (const ranges of [null, {}, { unit: 'ng/mL' }, { optimal: null, optimal_low: null }, { optimal: ' ' }])
      expect(rangeOf(ranges)).toBeNull();
  });

  test('has bands that may be open at one end', () => {
    expect(bandsOf(rangeOf(NUMBERS))).toEqual([
      { name: 'optimal', low: 40, high: 60 },
      { name: 'deficiency', low: Number.NEGATIVE_INFINITY, high: 20 },
      { name: 'toxicity', low: 150, high: Number.POSITIVE_INFINITY },
    ]);
  });

  test('has no bands where its unit is not that of the value', () => {
    const range = rangeOf({ ...NUMBERS, unit: 'nmol/L' });
    expect(range).toMatchObject({ unit: 'nmol/L', comparable: false });
    expect(bandsOf(range)).toEqual([]);
    expect(deviationsOf(10, range)).toEqual([]);
    expect(normalRangeOf(50, range)).toBeNull();
  });

  test('has no band where its side is unknown, or its bounds are reversed', () => {
    expect(bandsOf(rangeOf({ deficiency_low: 20 }))).toEqual([]);
    expect(bandsOf(rangeOf({ toxicity_high: 20 }))).toEqual([]);
    expect(bandsOf(rangeOf({ optimal_low: 60, optimal_high: 40 }))).toEqual([]);
  });
});

describe('a value', () => {
  const deviations = (value: number, ranges: Record<string, Json> | null) =>
    deviationsOf(value, rangeOf(ranges)).map(({ name, side }) => `${side} ${name}`);

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
    expect(normalRangeOf(50, rangeOf({ ...NUMBERS, functional_low: 30 }))).toBe('optimal');
    expect(normalRangeOf(35, rangeOf({ ...NUMBERS, functional_low: 30 }))).toBe('functional');
    expect(normalRangeOf(25, rangeOf({ ...NUMBERS, functional_low: 30 }))).toBeNull();
  });

  test('has no position where the ranges contradict each other, or are texts', () => {
    for (const ranges of [{ optimal_low: 10, deficiency_high: 20 }, { optimal: '10–20' }, null]) {
      expect(deviations(15, ranges)).toEqual([]);
      expect(normalRangeOf(15, rangeOf(ranges))).toBeNull();
    }
  });
});
