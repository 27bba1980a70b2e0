import { expect, test } from 'vitest';
import { bioRecord } from '../../../_ui/records/test-records.ts';
import { EVERY_RECORD } from './every-record.ts';
import { matchesFilter } from './record-filter.ts';

test('matches the category and the time, both bounds included', () => {
  const record = bioRecord({ collected_at: '2026-02-01T08:00:00.000Z' });
  const at = Date.parse(record.collected_at);
  expect([
    matchesFilter(EVERY_RECORD)(record),
    matchesFilter({ category: 'BSP-VT', from: at, to: at })(record),
    matchesFilter({ category: 'BSP-CV', from: null, to: null })(record),
    matchesFilter({ category: null, from: at + 1, to: null })(record),
    matchesFilter({ category: null, from: null, to: at - 1 })(record),
  ]).toEqual([true, true, false, false, false]);
});
