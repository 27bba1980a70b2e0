import { describe, expect, test } from 'vitest';
import { biomarkerGroup, byKind, replacements } from './group-records.ts';
import { bioRecord } from './test-records.ts';

const on = (day: string) => `2026-${day}T08:00:00.000Z`;

describe('byKind', () => {
  test('sorts categories as in the taxonomy, and biomarkers by code', () => {
    const records = [
      bioRecord({ biomarker: 'BSP-VT-002' }),
      bioRecord({ biomarker: 'BSP-CV-001', category: 'BSP-CV' }),
      bioRecord({ biomarker: 'BSP-VT-001' }),
    ];
    expect(
      byKind(records).categories.map(({ category, biomarkers }) => [category, biomarkers.map(({ code }) => code)]),
    ).toEqual([
      ['BSP-CV', ['BSP-CV-001']],
      ['BSP-VT', ['BSP-VT-001', 'BSP-VT-002']],
    ]);
  });

  test('has the biomarkers whose latest value is out of range first, the critical ones before the others', () => {
    const range = { functional_low: 20, functional_high: 60, critical_high: 100, optimal_low: 40 };
    const records = [
      bioRecord({ biomarker: 'BSP-VT-001', value: 10, ref_range: range }),
      bioRecord({ biomarker: 'BSP-VT-002', value: 30, ref_range: range, collected_at: on('03-01') }),
      bioRecord({ biomarker: 'BSP-VT-002', value: 10, ref_range: range, collected_at: on('02-01') }),
      bioRecord({ biomarker: 'BSP-VT-003', value: 120, ref_range: range }),
      bioRecord({ biomarker: 'BSP-VT-004', value: 10, ref_range: range, status: 'SUPERSEDED' }),
      bioRecord({ biomarker: 'BSP-VT-005', value: '<5', ref_range: range }),
    ];
    const { outOfRange, categories } = byKind(records);
    expect(outOfRange.map(({ code }) => code)).toEqual(['BSP-VT-003', 'BSP-VT-001', 'BSP-VT-005']);
    expect(categories.map(({ biomarkers }) => biomarkers.map(({ code }) => code))).toEqual([
      ['BSP-VT-002', 'BSP-VT-004'],
    ]);
  });

  test('compares only records of one key', () => {
    const [one, other] = ['a', 'b'].map((beo_id) => bioRecord({ beo_id }));
    const all = [one, other].flatMap((record) => record ?? []);
    const { categories } = byKind(all, ({ biomarker, beo_id }) => `${biomarker} ${beo_id}`);
    expect(categories.map(({ biomarkers }) => biomarkers.map(({ latest }) => latest))).toEqual([[one, other]]);
  });

  test('returns no category without records', () => {
    expect(byKind([])).toEqual({ outOfRange: [], categories: [] });
  });
});

describe('biomarkerGroup', () => {
  test('has the newest record that is not superseded as the latest', () => {
    const old = bioRecord({ value: 20, collected_at: on('01-01') });
    const wrong = bioRecord({ value: 400, collected_at: on('03-01'), status: 'SUPERSEDED' });
    const now = bioRecord({ value: 40, collected_at: on('03-01'), supersedes: wrong.record_id });
    const group = biomarkerGroup('BSP-VT-001', [wrong, old, now]);
    expect(group.latest).toBe(now);
    expect(group.trend).toEqual({ direction: 'up', previous: old });
    expect(group.course).toEqual([20, 40]);
  });

  test('sorts records of the same collection time by submission time', () => {
    const first = bioRecord({ submitted_at: on('02-01') });
    const second = bioRecord({ submitted_at: on('02-02') });
    expect(biomarkerGroup('BSP-VT-001', [first, second]).latest).toBe(second);
  });

  test('sorts a day as its noon in UTC', () => {
    const [morning, day, evening] = ['2026-03-01T11:59:00Z', '2026-03-01', '2026-03-01T12:01:00Z'].map((collected_at) =>
      bioRecord({ collected_at }),
    );
    const all = [evening, morning, day].flatMap((record) => record ?? []);
    expect(biomarkerGroup('BSP-VT-001', all).records).toEqual([evening, day, morning]);
  });

  test('compares values in another spelling of the unit, and in one that converts', () => {
    const records = [
      bioRecord({ value: 0.04, unit: 'µg/mL', collected_at: on('04-01') }),
      bioRecord({ value: 30, unit: 'ng/ml', collected_at: on('03-01') }),
    ];
    const { trend, course } = biomarkerGroup('BSP-VT-001', records);
    expect([trend?.direction, course]).toEqual(['up', [0.03, 0.04]]);
  });

  test('has no direction between units that do not convert, and draws only what converts', () => {
    const records = [
      bioRecord({ value: 100, unit: 'points', collected_at: on('03-01') }),
      bioRecord({ value: 40, collected_at: on('02-01') }),
    ];
    const { trend, course } = biomarkerGroup('BSP-VT-001', records);
    expect([trend, course]).toEqual([{ direction: null, previous: records[1] }, [100]]);
  });

  test('compares the latest with the value before it, also where one of them cannot be drawn', () => {
    const [old, below, now] = [9, '<0.5', 2].map((value, index) =>
      bioRecord({ value, unit: 'mg/L', collected_at: on(`0${index + 1}-01`) }),
    );
    const all = [old, below, now].flatMap((record) => record ?? []);
    expect(biomarkerGroup('BSP-VT-001', all.slice(0, 2)).trend).toEqual({ direction: 'down', previous: old });
    expect(biomarkerGroup('BSP-VT-001', all).trend).toEqual({ direction: 'up', previous: below });
  });

  test('has the trend “same” for the same number in another notation', () => {
    const records = [
      bioRecord({ value: '7.0', collected_at: on('03-01') }),
      bioRecord({ value: 7, collected_at: on('02-01') }),
    ];
    expect(biomarkerGroup('BSP-VT-001', records).trend?.direction).toBe('same');
  });

  test('has what has no time last, and neither as the latest nor in the trend, but among what may be current', () => {
    const times = ['2023-05', on('03-01'), '2023', '2026-04-01T08:00', on('04-01'), '', on('02-01')];
    const all = times.map((collected_at, index) => bioRecord({ collected_at, value: index }));
    for (const order of [all, all.toReversed(), [...all.slice(3), ...all.slice(0, 3)]]) {
      const { records, latest, current, trend, course } = biomarkerGroup('BSP-VT-001', order);
      expect(records.slice(0, 3)).toEqual([all[4], all[1], all[6]]);
      expect([latest, trend, course]).toEqual([all[4], { direction: 'up', previous: all[1] }, [6, 1, 4]]);
      expect(new Set(current)).toEqual(new Set([all[4], all[0], all[2], all[3], all[5]]));
    }
    const ref_range = { functional_low: 20, functional_high: 60 };
    const low = bioRecord({ collected_at: '2023-05', value: 10, ref_range });
    expect(byKind([bioRecord({ ref_range }), low]).outOfRange).toHaveLength(1);
  });

  test('does not take a record without a value for the latest', () => {
    const [value, none] = [
      bioRecord({ collected_at: on('01-01') }),
      bioRecord({ collected_at: on('02-01'), value: '' }),
    ];
    expect(biomarkerGroup('BSP-VT-001', [value, none]).latest).toBe(value);
  });

  test('has no latest record if all are superseded', () => {
    expect(biomarkerGroup('BSP-VT-001', [bioRecord({ status: 'SUPERSEDED' })])).toMatchObject({
      latest: null,
      trend: null,
      course: [],
    });
  });
});

test('replacements maps a superseded record to its replacement', () => {
  const wrong = bioRecord({ status: 'SUPERSEDED' });
  const right = bioRecord({ supersedes: wrong.record_id });
  expect(replacements([wrong, right])).toEqual(new Map([[wrong.record_id, right]]));
});
