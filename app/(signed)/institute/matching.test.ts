import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const two = [
  { display_name: 'Clínica Santa Clara', domain: 'santa-clara.bsp' },
  { display_name: null, domain: 'lab.north.bsp' },
];

test('finds institutions by the beginnings of words', () => {
  expect(matching(two, '')).toEqual(two);
  expect(matching(two, 'clí sant')).toEqual([two[0]]);
  expect(matching(two, 'clinica')).toEqual([two[0]]);
  expect(matching(two, 'lab.north.bsp')).toEqual([two[1]]);
  expect(matching(two, 'lara')).toEqual([]);
});
