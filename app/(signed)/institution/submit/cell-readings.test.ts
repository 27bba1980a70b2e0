import { expect, test } from 'vitest';
import { encodedCells, numberCells, timeCells } from './cell-readings.ts';
import { needsOrder } from './local-times.ts';

const rows = (...given: readonly object[]) =>
  given.map((row, index) => ({ row: index + 2, problems: [], ...row })) as never;

test('the cells that show an encoding are the first three with letters beyond ASCII, each once', () => {
  const texts = [['Glicose', 'Valor mínimo'], ['Valor mínimo', 'açúcar'], ['µg'], ['ñ']];
  expect(encodedCells({ header: ['Código'], body: texts.map((cells, row) => ({ row, texts: cells })) })).toEqual([
    'Código',
    'Valor mínimo',
    'açúcar',
  ]);
});

test('the cells that show a decimal mark are numbers that were read, with a mark in them', () => {
  const read = rows(
    { cells: { value: '92' }, record: { value: 92 } },
    { cells: { value: '1.250' }, record: { value: '1.250' }, problems: [{ column: 'value' }] },
    { cells: { value: '98,5', ref_low: '70' }, record: { value: 98.5, ref_range: { functional_low: 70 } } },
    { cells: { value: '98,5' }, record: { value: 98.5 } },
    { cells: { value: '4.5' }, record: { value: 4.5 } },
  );
  expect(numberCells(read)).toEqual([
    { written: '98,5', read: '98.5' },
    { written: '4.5', read: '4.5' },
  ]);
});

test('the cells that show an order of dates include those that it cannot read', () => {
  const read = rows(
    { cells: { collected_at: '2026-11-20' }, record: { collected_at: '2026-11-20' } },
    { cells: { collected_at: '03/04/2026' }, record: { collected_at: '2026-04-03' } },
    { cells: { collected_at: '04/13/2026' }, record: { collected_at: '' }, problems: [{ column: 'collected_at' }] },
  );
  expect(timeCells(read, needsOrder)).toEqual([
    { written: '03/04/2026', read: '2026-04-03' },
    { written: '04/13/2026', read: null },
  ]);
});
