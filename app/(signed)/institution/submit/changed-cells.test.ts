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

test('a printed range whose numbers were read as other texts is shown in both', () => {
  const shown = (printed: string, ref_range: object) => changedCells(row({ ref_range: printed }, { ref_range }));
  const platelets = { functional_low: 150_000, functional_high: 450_000 };
  expect(shown('150.000 a 450.000', platelets)).toEqual([
    { column: 'ref_range', read: '150000–450000', written: '150.000 a 450.000' },
  ]);
  expect(shown('Até 1.200', { functional_high: 1.2 })).toMatchObject([{ read: '≤ 1.2' }]);
  expect(shown('0,70 a 0,99 g/L', { functional_low: 70, functional_high: 99 })).toMatchObject([{ read: '70–99' }]);
  expect(shown('150000 a 450000', platelets)).toEqual([]);
  expect(shown('H: 13,5 a 17,5', { functional: 'H: 13,5 a 17,5' })).toEqual([]);
  expect(shown(JSON.stringify(platelets), platelets)).toEqual([]);
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
