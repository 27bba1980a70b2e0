import { describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { bandsOf, rangePositionOf, referenceRange } from './reference-range.ts';

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
    expect(rangePositionOf(50, range)).toBeNull();
  });

  test('has no band where its side is unknown, or its bounds are reversed', () => {
    expect(bandsOf(rangeOf({ deficiency_low: 20 }))).toEqual([]);
    expect(bandsOf(rangeOf({ toxicity_high: 20 }))).toEqual([]);
    expect(bandsOf(rangeOf({ optimal_low: 60, optimal_high: 40 }))).toEqual([]);
  });
});

describe('the position of a value', () => {
  test.each([
    [50, { name: 'optimal', side: 'within' }],
    [40, { name: 'optimal', side: 'within' }],
    [39.9, { name: 'optimal', side: 'below' }],
    [61, { name: 'optimal', side: 'above' }],
    [12, { name: 'deficiency', side: 'within' }],
    [200, { name: 'toxicity', side: 'within' }],
  ])('of %d', (value, position) => {
    expect(rangePositionOf(value, rangeOf(NUMBERS))).toEqual(position);
  });

  test('is relative to the functional range where there is no optimal one', () => {
    expect(rangePositionOf(10, rangeOf({ functional_low: 20 }))).toEqual({ name: 'functional', side: 'below' });
  });

  test('is null where the ranges contradict each other, or are texts', () => {
    expect(rangePositionOf(15, rangeOf({ optimal_low: 10, deficiency_high: 20 }))).toBeNull();
    expect(rangePositionOf(15, rangeOf({ optimal: '10–20' }))).toBeNull();
    expect(rangePositionOf(15, null)).toBeNull();
  });
});
