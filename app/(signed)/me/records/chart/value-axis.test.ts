import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandsOf, referenceRange } from '../../../../../protocol/clinical/ranges.ts';
import type { Json } from '../../../../../protocol/signing/canonical-json.ts';
import { bioRecord } from '../../../../_ui/records/test-records.ts';
import { seriesOf } from './series.ts';
import { valueAxis } from './value-axis.ts';

function axisOf(values: readonly number[], ref_range: Record<string, Json> = {}, replaced: readonly number[] = []) {
  const records = [
    ...values.map((value) => bioRecord({ value })),
    ...replaced.map((value) => bioRecord({ value, status: 'SUPERSEDED' })),
  ];
  const [series] = seriesOf(records);
  if (!series) throw new Error('There is no series.');
  return valueAxis(series, bandsOf(referenceRange({ ref_range, unit: 'ng/mL' }), 'ng/mL'));
}

test('a course within a wide range takes at least a quarter of the axis', () => {
  const { low, high } = axisOf([12.8, 13.4], { functional_low: 12, functional_high: 17.5 });
  expect(low).toBeLessThanOrEqual(12);
  expect(high).toBeLessThan(14);
});

test('every bound that is near is on the axis, the critical ones too', () => {
  const range = { functional_low: 3.5, functional_high: 5.1, critical_low: 2.5, critical_high: 6.5 };
  const { low, high } = axisOf([4.1, 1.9], range);
  expect(low).toBeLessThan(1.9);
  expect(high).toBeGreaterThan(6.5);
});

test('a single value has the whole range beside it', () => {
  const { low, high } = axisOf([13.1], { functional_low: 12, functional_high: 17.5 });
  expect([low < 12, high > 17.5]).toEqual([true, true]);
});

test('a replaced value that is far from the others is not on the axis, one that is near is', () => {
  expect(axisOf([18.4, 36, 42.5], {}, [425]).high).toBeLessThan(50);
  expect(axisOf([18.4, 36, 42.5], {}, [45]).high).toBeGreaterThan(45);
  expect(axisOf([42.5], { functional_high: 60 }, [425]).high).toBeLessThan(100);
  expect(axisOf([], {}, [425]).high).toBeGreaterThan(425);
});

test('the axis of values that are not negative begins at zero or above', () => {
  expect(axisOf([0, 3])).toMatchObject({ low: 0 });
  expect(axisOf([-1, 3]).low).toBeLessThan(-1);
});

test('the axis contains every current value, which take at least a quarter of it if they differ', () => {
  const number = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), number, number, (values, one, other) => {
      const bounds = { functional_low: Math.min(one, other), functional_high: Math.max(one, other) };
      const { low, high } = axisOf(values, bounds);
      const [lowest, highest] = [Math.min(...values), Math.max(...values)];
      expect(low <= lowest && high >= highest && high > low).toBe(true);
      if (highest > lowest) expect((highest - lowest) / (high - low)).toBeGreaterThan(0.25);
    }),
  );
});
