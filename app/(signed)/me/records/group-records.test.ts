import { describe, expect, test } from 'vitest';
import { biomarkerGroup, byCategory, replacements } from './group-records.ts';
import { bioRecord } from './test-records.ts';

const on = (day: string) => `2026-${day}T08:00:00.000Z`;

describe('records by category', () => {
  test('stand in the order of the taxonomy, and in a category by code', () => {
    const records = [
      bioRecord({ biomarker: 'BSP-VT-002' }),
      bioRecord({ biomarker: 'BSP-CV-001', category: 'BSP-CV' }),
      bioRecord({ biomarker: 'BSP-VT-001' }),
    ];
    expect(
      byCategory(records).map(({ category, biomarkers }) => [category, biomarkers.map(({ code }) => code)]),
    ).toEqual([
      ['BSP-CV', ['BSP-CV-001']],
      ['BSP-VT', ['BSP-VT-001', 'BSP-VT-002']],
    ]);
  });

  test('are none where there are none', () => {
    expect(byCategory([])).toEqual([]);
  });
});

describe('of a biomarker', () => {
  test('the latest is the newest collected that stands', () => {
    const old = bioRecord({ value: 20, collected_at: on('01-01') });
    const wrong = bioRecord({ value: 400, collected_at: on('03-01'), status: 'SUPERSEDED' });
    const now = bioRecord({ value: 40, collected_at: on('03-01'), supersedes: wrong.record_id });
    const group = biomarkerGroup('BSP-VT-001', [wrong, old, now]);
    expect(group.latest).toBe(now);
    expect(group.trend).toEqual({ direction: 'up', previous: old });
    expect(group.course).toEqual([20, 40]);
  });

  test('two of the same moment stand by when they were submitted', () => {
    const first = bioRecord({ submitted_at: on('02-01') });
    const second = bioRecord({ submitted_at: on('02-02') });
    expect(biomarkerGroup('BSP-VT-001', [first, second]).latest).toBe(second);
  });

  test('units are never compared with each other', () => {
    const records = [
      bioRecord({ value: 100, unit: 'nmol/L', collected_at: on('03-01') }),
      bioRecord({ value: 40, collected_at: on('02-01') }),
    ];
    const { trend, course } = biomarkerGroup('BSP-VT-001', records);
    expect([trend, course]).toEqual([null, [100]]);
  });

  test('a text has no trend', () => {
    const records = [
      bioRecord({ value: '< 5', collected_at: on('03-01') }),
      bioRecord({ value: 7, collected_at: on('02-01') }),
    ];
    expect(biomarkerGroup('BSP-VT-001', records).trend).toBeNull();
  });

  test('the same number again is neither up nor down, however it is written', () => {
    const records = [
      bioRecord({ value: '7.0', collected_at: on('03-01') }),
      bioRecord({ value: 7, collected_at: on('02-01') }),
    ];
    expect(biomarkerGroup('BSP-VT-001', records).trend?.direction).toBe('same');
  });

  test('where all were replaced by nothing that is seen, there is no latest', () => {
    expect(biomarkerGroup('BSP-VT-001', [bioRecord({ status: 'SUPERSEDED' })])).toMatchObject({
      latest: null,
      trend: null,
      course: [],
    });
  });
});

test('what replaced a record is found by the record it replaced', () => {
  const wrong = bioRecord({ status: 'SUPERSEDED' });
  const right = bioRecord({ supersedes: wrong.record_id });
  expect(replacements([wrong, right])).toEqual(new Map([[wrong.record_id, right]]));
});
