import { expect, test } from 'vitest';
import { changedCells } from './changed-cells.ts';

const row = (cells: object, record: object, problems: readonly never[] = []) => ({
  cells: cells as never,
  record: record as never,
  problems,
});

test('a number, a range and a day that were read as another text are shown in both', () => {
  const cells = { value: ' 1.250,5 ', ref_low: '1,5', ref_high: '4', collected_at: '20/11/2026', unit: 'mg/dL' };
  const record = {
    value: 1250.5,
    ref_range: { functional_low: 1.5, functional_high: 4 },
    collected_at: '2026-11-20',
    unit: 'mg/dL',
  };
  expect(changedCells(row(cells, record))).toEqual([
    { column: 'collected_at', read: '2026-11-20', written: '20/11/2026' },
    { column: 'value', read: '1250.5', written: '1.250,5' },
    { column: 'ref_low', read: '1.5', written: '1,5' },
  ]);
});

test('a value without its flag is another text, and a trailing zero is kept', () => {
  expect(changedCells(row({ value: '92 H' }, { value: 92 }))).toMatchObject([{ read: '92', written: '92 H' }]);
  expect(changedCells(row({ value: '92.50' }, { value: '92.50' }))).toEqual([]);
});

test('a cell with a problem was not read, and an empty one has nothing to show', () => {
  const problems = [{ kind: 'cell', column: 'value', problem: 'notNumber' }] as never;
  expect(changedCells(row({ value: 'abc,', unit: '' }, { value: 'abc', unit: '' }, problems))).toEqual([]);
});

test('a time is another text where this device shows another minute', () => {
  const at = new Date(2026, 10, 20, 8, 30);
  const sent = at.toISOString();
  const shown = (collected_at: string) => changedCells(row({ collected_at }, { collected_at: sent })).length;
  expect(shown('2026-11-20 08:30')).toBe(0);
  expect(shown('20/11/2026 08:30')).toBe(1);
  expect(shown('2026-11-20T09:30:00+01:00')).toBe(1);
});
