import { expect, test } from 'vitest';
import { encodedCells, numberCells, timeCells, twoDates } from './cell-readings.ts';
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

test('an undecided order of dates is shown with three dates in both readings, first those that differ by it', () => {
  const texts = [
    '2026-11-20',
    '05/05/2026',
    '03/07/2026',
    '03/07/2026',
    '04/12/2026 08:30',
    '11/20/2026',
    '01/02/2026',
  ];
  expect(twoDates(texts, 'UTC')).toEqual([
    { written: '03/07/2026', dayFirst: '2026-07-03', monthFirst: '2026-03-07' },
    { written: '04/12/2026 08:30', dayFirst: '2026-12-04T08:30:00+00:00', monthFirst: '2026-04-12T08:30:00+00:00' },
    { written: '11/20/2026', dayFirst: null, monthFirst: '2026-11-20' },
  ]);
  expect(twoDates(['05/05/2026', '2026-01-01'], 'UTC')).toEqual([
    { written: '05/05/2026', dayFirst: '2026-05-05', monthFirst: '2026-05-05' },
  ]);
});
