import { expect, test } from 'vitest';
import { bioRecord } from '../../../../_ui/records/test-records.ts';
import { kindsOf } from './kinds-of.ts';

const RECORDS = ['ÑA', 'NZ', 'NZ', 'OA'].map((biomarker) => bioRecord({ biomarker }));

test('kinds are counted, and sorted by the letters of the language', () => {
  const kinds = (locale: string) => kindsOf(RECORDS, (code) => code.toLowerCase(), locale);
  expect(kinds('es').map(({ name, count }) => [name, count])).toEqual([
    ['nz', 2],
    ['ña', 1],
    ['oa', 1],
  ]);
  expect(kinds('en').map(({ name }) => name)).toEqual(['ña', 'nz', 'oa']);
});
