import { expect, test } from 'vitest';
import { bioRecord } from './test-records.ts';
import { visitsOf } from './visits.ts';

test('a visit is what an institution collected on a day: a day as it was sent, an instant in the zone of the reader', () => {
  const noon = new Date(2026, 10, 19, 12).toISOString();
  const records = [
    bioRecord({ collected_at: '2026-11-19', biomarker: 'BSP-VT-002' }),
    bioRecord({ collected_at: noon, biomarker: 'BSP-VT-001' }),
    bioRecord({ collected_at: '2026-11-19', ieo_id: 'clinic' }),
    bioRecord({ collected_at: '2026-11-20' }),
    bioRecord({ collected_at: '2026-11-20', status: 'SUPERSEDED' }),
  ];
  expect(visitsOf(records).map(({ day, institution, records }) => [day, institution.ieo_id, records.length])).toEqual([
    ['2026-11-20', 'ieo', 1],
    ['2026-11-19', 'clinic', 1],
    ['2026-11-19', 'ieo', 2],
  ]);
});

test('what is out of range comes first in a visit, the critical values before the others', () => {
  const ref_range = { functional_low: 20, functional_high: 60, critical_high: 100 };
  const values = [30, 10, 120, 'negative'];
  const records = values.map((value, index) =>
    bioRecord({ value, ref_range, collected_at: '2026-11-19', biomarker: `BSP-VT-00${index}` }),
  );
  const [visit] = visitsOf(records);
  expect(visit?.records.map(({ value }) => value)).toEqual([120, 10, 30, 'negative']);
  expect(visit?.outOfRange).toBe(2);
});

test('where withdrawn records are listed, they are not counted as out of range', () => {
  const ref_range = { functional_low: 20, functional_high: 60, critical_high: 100 };
  const records = [120, 10].map((value, index) =>
    bioRecord({ value, ref_range, collected_at: '2026-11-19', status: index === 0 ? 'SUPERSEDED' : 'ACTIVE' }),
  );
  const [visit] = visitsOf(records, () => true);
  expect([visit?.records.map(({ value }) => value), visit?.outOfRange]).toEqual([[10, 120], 1]);
});
