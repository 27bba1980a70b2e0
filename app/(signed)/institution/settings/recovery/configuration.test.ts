import { expect, test } from 'vitest';
import { configurationOf, problemsOf } from './configuration.ts';

const key = (digit: string) => digit.repeat(64);
const person = (name: string, publicKey = '') => ({ name, contact: `${name}@example.org`, publicKey });

test('people are named in the order of the roles, a key in lower case or none', () => {
  expect(configurationOf([person(' Ada '), person('Ben', key('A')), person('Cleo')])).toEqual({
    enabled: true,
    guardians: [
      { role: 'primary', name: 'Ada', contact: 'Ada @example.org', public_key: null },
      { role: 'secondary', name: 'Ben', contact: 'Ben@example.org', public_key: key('a') },
      { role: 'tertiary', name: 'Cleo', contact: 'Cleo@example.org', public_key: null },
    ],
  });
});

test('what is missing or wrong is found for each person', () => {
  const own = key('f');
  expect(problemsOf([person('Ada'), person('Ben', key('a'))], own)).toEqual([null, null]);
  expect(problemsOf([person(' '), { ...person('Ben'), contact: '' }], own)).toEqual(['name', 'contact']);
  expect(problemsOf([person('Ada', key('a').slice(1)), person('Ben', key('g'))], own)).toEqual([
    'publicKey',
    'publicKey',
  ]);
});

test('one key is not that of two, nor that of the institution', () => {
  expect(problemsOf([person('Ada', key('a')), person('Ben', key('A'))], null)).toEqual([null, 'sameKey']);
  expect(problemsOf([person('Ada', key('F')), person('Ben')], key('f'))).toEqual(['sameKey', null]);
});
