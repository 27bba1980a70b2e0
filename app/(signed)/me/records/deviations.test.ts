import { expect, test } from 'vitest';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { statedDeviations } from './deviations.ts';

const record = (ieo_id: string, day: string, more: Record<string, unknown> = {}) =>
  ({
    record_id: `${ieo_id} ${day}`,
    ieo_id,
    collected_at: `${day}T08:00:00.000Z`,
    value: 25,
    unit: 'ng/mL',
    status: 'ACTIVE',
    ref_range: { optimal_low: 40 },
    ...more,
  }) as unknown as BioRecord;

const latest = record('lab', '2026-03-01');
const stated = (all: readonly BioRecord[]) =>
  statedDeviations(latest, all).map(({ record: { record_id }, deviations }) => [
    record_id,
    ...deviations.map(({ name, side }) => `${side} ${name}`),
  ]);

test('a value deviates from its own range and from the newest range of each other institution', () => {
  const all = [
    record('clinic', '2025-01-01', { ref_range: { optimal_low: 10 } }),
    record('clinic', '2026-01-01', { ref_range: { functional_low: 30, deficiency_high: 26 } }),
    record('lab', '2026-02-01', { ref_range: { optimal_low: 90 } }),
    latest,
  ];
  expect(stated(all)).toEqual([
    ['lab 2026-03-01', 'below optimal'],
    ['clinic 2026-01-01', 'within deficiency', 'below functional'],
  ]);
});

test('a range in another unit, one that contains the value, and one of a replaced record are left out', () => {
  const all = [
    record('abroad', '2026-01-01', { unit: 'nmol/L' }),
    record('clinic', '2026-01-01', { ref_range: { optimal_low: 20 } }),
    record('ward', '2026-01-01', { status: 'SUPERSEDED' }),
    record('study', '2026-01-01', { ref_range: null }),
  ];
  expect(stated(all)).toEqual([['lab 2026-03-01', 'below optimal']]);
});

test('a value that is no number deviates from nothing', () => {
  expect(statedDeviations(record('lab', '2026-01-01', { value: '=1+1' }), [latest])).toEqual([]);
  expect(statedDeviations(record('lab', '2026-01-01', { value: { systolic: 140 } }), [latest])).toEqual([]);
});
