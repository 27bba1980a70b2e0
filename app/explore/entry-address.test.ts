import { expect, test } from 'vitest';
import { csvAddress, entryQuery, listAddress, PAGE } from './entry-address.ts';

const NONE = { function: null, kind: null, status: null, from: null, to: null, before: null, after: null, limit: PAGE };

test('the filters and the place of a page are in its address', () => {
  const query = {
    ...NONE,
    function: 'lockBEO',
    kind: 'identity',
    status: 'FINAL',
    from: '2026-03-01',
    to: '2026-03-31',
    before: 41,
  } as const;
  const address = listAddress(query, { before: 41 });
  expect(address).toBe(
    '/explore?function=lockBEO&kind=identity&status=FINAL&from=2026-03-01&to=2026-03-31&before=41#latest',
  );
  expect(entryQuery(Object.fromEntries(new URL(address, 'http://x').searchParams))).toEqual(query);
  expect(listAddress(NONE)).toBe('/explore#latest');
  expect(csvAddress(query, 'es')).toBe(
    '/explore/entries.csv?function=lockBEO&kind=identity&status=FINAL&from=2026-03-01&to=2026-03-31&lang=es',
  );
});

test('a value that a parameter cannot have is ignored', () => {
  const values = ['', '\0', 'x'.repeat(10_000), '-1', '1e3', '0x10', '9'.repeat(16), ' 1', '\ud800'];
  for (const value of values) {
    const parameters = {
      function: `${value}!`,
      kind: value,
      status: value,
      from: value,
      to: value,
      before: value,
      after: value,
    };
    expect(entryQuery(parameters)).toEqual(NONE);
  }
  for (const day of ['2026-02-30', '2026-13-01', '0001-01-01', '9999-12-31', '2026-3-1'])
    expect(entryQuery({ from: day, to: day })).toEqual(NONE);
  expect(entryQuery({ before: ['1', '2'], kind: ['identity'], status: undefined })).toEqual(NONE);
});
