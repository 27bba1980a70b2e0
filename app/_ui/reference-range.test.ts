import { describe, expect, test } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { bandsOf, rangePositionOf, referenceRange } from './reference-range.ts';

const stated = (ref_range: Record<string, Json> | null) => referenceRange({ ref_range, unit: 'ng/mL' });

const NUMBERS = { optimal_low: 40, optimal_high: 60, deficiency_high: 20, toxicity_low: 150 };

describe('a reference range', () => {
  test('is read where it was given as numbers, as text, or both', () => {
    expect(stated({ optimal_low: 40, functional: '30–80', population: 'adults' })).toEqual({
      ranges: [
        { name: 'optimal', bounds: { low: 40, high: null }, text: null },
        { name: 'functional', bounds: null, text: '30–80' },
      ],
      unit: 'ng/mL',
      comparable: true,
      population: 'adults',
    });
  });

  test('is none where nothing was stated', () => {
    for (const given of [null, {}, { unit: 'ng/mL' }, { optimal: null, optimal_low: null }, { optimal: ' ' }])
      expect(stated(given)).toBeNull();
  });

  test('is shaded as far as it goes', () => {
    expect(bandsOf(stated(NUMBERS))).toEqual([
      { name: 'optimal', low: 40, high: 60 },
      { name: 'deficiency', low: Number.NEGATIVE_INFINITY, high: 20 },
      { name: 'toxicity', low: 150, high: Number.POSITIVE_INFINITY },
    ]);
  });

  test('is not shaded where its numbers are in another unit', () => {
    const range = stated({ ...NUMBERS, unit: 'nmol/L' });
    expect(range).toMatchObject({ unit: 'nmol/L', comparable: false });
    expect(bandsOf(range)).toEqual([]);
    expect(rangePositionOf(50, range)).toBeNull();
  });

  test('is not shaded where nobody knows on which side it lies, or where its ends have changed places', () => {
    expect(bandsOf(stated({ deficiency_low: 20 }))).toEqual([]);
    expect(bandsOf(stated({ toxicity_high: 20 }))).toEqual([]);
    expect(bandsOf(stated({ optimal_low: 60, optimal_high: 40 }))).toEqual([]);
  });
});

describe('how a value lies to it', () => {
  test.each([
    [50, { name: 'optimal', side: 'within' }],
    [40, { name: 'optimal', side: 'within' }],
    [39.9, { name: 'optimal', side: 'below' }],
    [61, { name: 'optimal', side: 'above' }],
    [12, { name: 'deficiency', side: 'within' }],
    [200, { name: 'toxicity', side: 'within' }],
  ])('%d', (value, position) => {
    expect(rangePositionOf(value, stated(NUMBERS))).toEqual(position);
  });

  test('is told by the functional range where there is no optimal one', () => {
    expect(rangePositionOf(10, stated({ functional_low: 20 }))).toEqual({ name: 'functional', side: 'below' });
  });

  test('is not told where the institution contradicts itself, or gave texts', () => {
    expect(rangePositionOf(15, stated({ optimal_low: 10, deficiency_high: 20 }))).toBeNull();
    expect(rangePositionOf(15, stated({ optimal: '10–20' }))).toBeNull();
    expect(rangePositionOf(15, null)).toBeNull();
  });
});
