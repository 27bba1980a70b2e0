import { expect, test } from 'vitest';
import { entryQuery, listAddress, PAGE } from './entry-address.ts';

const NONE = { function: null, kind: null, status: null, before: null, after: null, limit: PAGE };

test('the filters and the place of a page are in its address', () => {
  const query = { ...NONE, function: 'lockBEO', kind: 'identity', status: 'FINAL', before: 41 } as const;
  const address = listAddress(query, { before: 41 });
  expect(address).toBe('/explore?function=lockBEO&kind=identity&status=FINAL&before=41#latest');
  expect(entryQuery(Object.fromEntries(new URL(address, 'http://x').searchParams))).toEqual(query);
  expect(listAddress(NONE)).toBe('/explore#latest');
});

test('a value that a parameter cannot have is ignored', () => {
  const values = ['', '\0', 'x'.repeat(10_000), '-1', '1e3', '0x10', '9'.repeat(16), ' 1', '\ud800'];
  for (const value of values) {
    const parameters = { function: `${value}!`, kind: value, status: value, before: value, after: value };
    expect(entryQuery(parameters)).toEqual(NONE);
  }
  expect(entryQuery({ before: ['1', '2'], kind: ['identity'], status: undefined })).toEqual(NONE);
});
