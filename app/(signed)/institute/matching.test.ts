import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const two = [
  { display_name: 'Clínica Santa Clara', domain: 'santa-clara.bsp' },
  { display_name: null, domain: 'lab.north.bsp' },
];

test('suspended institutions are found by the beginnings of words, like active ones', () => {
  expect(matching(two, '')).toEqual(two);
  expect(matching(two, 'clí sant')).toEqual([two[0]]);
  expect(matching(two, 'lab.north.bsp')).toEqual([two[1]]);
  expect(matching(two, 'lara')).toEqual([]);
});
