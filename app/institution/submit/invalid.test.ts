import { expect, test } from 'vitest';
import { invalidIn } from './invalid.ts';

const items = [5, 7, 9].map((row) => ({ row, record: {} }));

test('what the server finds is said of the rows of the file', () => {
  const records = [
    { index: 0, path: 'unit', message: 'is required' },
    { index: 2, path: '', message: 'is larger than 64 KiB' },
    { index: 8, path: 'unit', message: 'is of no row here' },
    null,
  ];
  expect(invalidIn({ code: 'RECORD_INVALID', message: '', details: { records } }, items)).toEqual([
    { row: 5, said: 'unit is required' },
    { row: 9, said: 'is larger than 64 KiB' },
  ]);
  expect(invalidIn({ code: 'TOKEN_REVOKED', message: '', details: { records } }, items)).toEqual([]);
  expect(invalidIn({ code: 'RECORD_INVALID', message: '' }, items)).toEqual([]);
});
