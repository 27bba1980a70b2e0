import { expect, test } from 'vitest';
import { exactly, partsOf } from './value.ts';

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
