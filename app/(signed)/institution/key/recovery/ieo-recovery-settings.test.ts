import { expect, test } from 'vitest';
import { configurationOf, problemsOf } from './ieo-recovery-settings.ts';

const key = (digit: string) => digit.repeat(64);
const person = (name: string, publicKey = '') => ({ name, contact: `${name}@example.org`, publicKey });

test('assigns the roles in order, with keys in lower case or null', () => {
  expect(configurationOf([person(' Ada '), person('Ben', key('A')), person('Cleo')])).toEqual({
    enabled: true,
    guardians: [
      { role: 'primary', name: 'Ada', contact: 'Ada @example.org', public_key: null },
      { role: 'secondary', name: 'Ben', contact: 'Ben@example.org', public_key: key('a') },
      { role: 'tertiary', name: 'Cleo', contact: 'Cleo@example.org', public_key: null },
    ],
  });
});

test('reports the first problem of each person', () => {
  const own = key('f');
  expect(problemsOf([person('Ada'), person('Ben', key('a'))], own)).toEqual([null, null]);
  expect(problemsOf([person(' '), { ...person('Ben'), contact: '' }], own)).toEqual(['name', 'contact']);
  expect(problemsOf([person('Ada', key('a').slice(1)), person('Ben', key('g'))], own)).toEqual([
    'publicKey',
    'publicKey',
  ]);
});

test('rejects a key that is used twice or is the institution’s own', () => {
  expect(problemsOf([person('Ada', key('a')), person('Ben', key('A'))], null)).toEqual([null, 'sameKey']);
  expect(problemsOf([person('Ada', key('F')), person('Ben')], key('f'))).toEqual(['sameKey', null]);
});
