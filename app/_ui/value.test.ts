import { expect, test } from 'vitest';
import { exactly, numberIn, partsOf } from './value.ts';

test('a chart draws numbers, and texts that are exactly a number', () => {
  expect([87.5, '1.50', '-3', '0', '2e3'].map(numberIn)).toEqual([87.5, 1.5, -3, 0, 2000]);
});

test('a chart draws no other value', () => {
  expect(['<5', '1,5', '', ' 1', '007', 'ε3/ε4', '1e999', null, true, { a: 1 }, [1]].map(numberIn)).toEqual(
    Array.from({ length: 11 }, () => null),
  );
});

test('a value is shown as it was sent', () => {
  expect([87.5, '1.50', 1e-7, '< 5'].map(exactly)).toEqual(['87.5', '1.50', '1e-7', '< 5']);
});

test('an object is shown as its members', () => {
  expect(partsOf({ ALT: 30, AST: '22.0', ratio: { of: 2 } })).toEqual([
    ['ALT', '30'],
    ['AST', '22.0'],
    ['ratio', '{"of":2}'],
  ]);
  expect([partsOf(3), partsOf('a'), partsOf(null)]).toEqual([null, null, null]);
});
