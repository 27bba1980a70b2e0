import { expect, test } from 'vitest';
import { sortedRows } from './sorting.ts';

const names = (descending: boolean, values: readonly (string | number | null)[]) =>
  sortedRows(
    values.map((value) => ({ value })),
    ({ value }) => value,
    descending,
  ).map(({ value }) => value);

test('sorts numbers by size and texts as people do, with empty cells last', () => {
  expect(names(false, [10, 9, null, 2])).toEqual([2, 9, 10, null]);
  expect(names(true, [10, 9, null, 2])).toEqual([10, 9, 2, null]);
  expect(names(false, ['ward 10', 'ward 9', 'Ärzte', 'zoo'])).toEqual(['Ärzte', 'ward 9', 'ward 10', 'zoo']);
});

test('keeps the order of equal rows', () => {
  const rows = [1, 2, 3].map((id) => ({ id }));
  expect(sortedRows(rows, () => 'same', true)).toEqual(rows);
});
