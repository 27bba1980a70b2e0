import { expect, test } from 'vitest';
import { rowsShown, summaryOf } from './file-summary.ts';

const consent = { beo_id: 'a' };
const notNumber = { kind: 'cell', column: 'value', problem: 'notNumber' };
const noConsent = { kind: 'cell', column: 'patient', problem: 'noConsent' };
const rows = [
  { row: 2, cells: { value: '92' }, record: { value: 92 }, problems: [], warnings: [], consent },
  { row: 3, cells: { value: 'abc' }, record: { value: 'abc' }, problems: [notNumber], warnings: [], consent },
  { row: 4, cells: {}, record: {}, problems: [], warnings: [{ kind: 'unlisted' }], consent, isChanged: true },
  { row: 5, cells: { patient: 'eve' }, record: {}, problems: [noConsent, notNumber], warnings: [], consent: null },
  { row: 6, cells: {}, record: {}, problems: [], warnings: [{ kind: 'sentBefore' }], consent },
  { row: 7, cells: {}, record: {}, problems: [], warnings: [{ kind: 'unlisted' }], consent },
] as never;
const summary = summaryOf(rows, ({ row }) => row === 7);
const numbers = (shown: typeof summary.reviewed) => shown.map(({ row }) => row.row);

test('rows with problems come first, then what is unusual, and what was accepted last', () => {
  expect(numbers(summary.reviewed)).toEqual([3, 5, 4, 6, 2, 7]);
  expect(summary.unreachable).toEqual([{ patient: 'eve', problem: 'noConsent', rows: 1 }]);
});

test('rows are shown by state, by change, and by one kind of problem', () => {
  expect(numbers(rowsShown(summary.reviewed, 'bad'))).toEqual([3, 5]);
  expect(numbers(rowsShown(summary.reviewed, 'changed'))).toEqual([4]);
  expect(numbers(rowsShown(summary.reviewed, 'all'))).toHaveLength(6);
  const [kind] = summary.kinds;
  expect(numbers(rowsShown(summary.reviewed, { kind: kind?.id ?? '' }))).toEqual([3, 5]);
});

test('kinds are counted: problems before warnings, the most frequent first, without rows that were accepted', () => {
  expect(summary.kinds.map(({ count, ...kind }) => ['problem' in kind ? kind.problem : kind.warning, count])).toEqual([
    [notNumber, 2],
    [noConsent, 1],
    ['unlisted', 1],
    ['sentBefore', 1],
  ]);
});
