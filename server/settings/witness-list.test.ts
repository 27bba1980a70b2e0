import { expect, test } from 'vitest';
import { testKey } from '../../protocol/transparency/test-keys.ts';
import { formatVerifierKey, type SignatureType } from '../../protocol/transparency/verifier-key.ts';
import { readConfig } from '../config.ts';

const vkey = (name: string, type: SignatureType = 4, secret = name) =>
  formatVerifierKey(testKey(name, type, secret).key);
const ONE = vkey('witness.example/one');
const TWO = vkey('witness.example/two');

const reasonOf = (text: string): string => {
  try {
    readConfig({ WITNESSES: text });
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${text} was accepted.`);
};

test('WITNESSES names any number of witnesses, each by its URL and its verifier key', () => {
  expect(readConfig({}).WITNESSES).toEqual([]);
  const found = readConfig({
    WITNESSES: `https://one.example/log/ ${ONE}, http://127.0.0.1:8080 ${TWO},http://localhost ${vkey('a,b')}`,
  }).WITNESSES;
  expect(found.map(({ url, key }) => [url, key.name])).toEqual([
    ['https://one.example/log', 'witness.example/one'],
    ['http://127.0.0.1:8080', 'witness.example/two'],
    ['http://localhost', 'a,b'],
  ]);
});

test.each([
  ['no key', 'https://one.example', 'its URL, a space and its verifier key'],
  ['a third word', `https://one.example ${ONE} ${TWO}`, 'separate witnesses with commas'],
  ['another protocol', `ftp://one.example ${ONE}`, 'begin with https'],
  ['no protocol', `one.example ${ONE}`, 'begin with https'],
  ['credentials', `https://user:secret@one.example ${ONE}`, 'without credentials'],
  ['HTTP to another machine', `http://one.example ${ONE}`, 'except for this machine'],
  ['HTTP to a name that begins like this machine', `http://127.0.0.1.example ${ONE}`, 'except for this machine'],
  ['a key that is no key', 'https://one.example abc', 'verifier keys'],
  ['a key whose id is of another key', `https://one.example ${ONE.replace('one+', 'oneself+')}`, 'key id'],
  ['a key of a log', `https://one.example ${vkey('a.log', 1)}`, 'type 4'],
  [
    'a public key twice',
    `https://a.example ${ONE},https://b.example ${vkey('other', 4, 'witness.example/one')}`,
    'twice',
  ],
  [
    'a name twice',
    `https://a.example ${ONE},https://b.example ${vkey('witness.example/one', 4, 'x')}`,
    'two witnesses',
  ],
  [
    'more than a note can have',
    Array.from({ length: 100 }, (_, n) => `https://a.example ${vkey(`w${n}`)}`).join(','),
    'at most 99',
  ],
])('WITNESSES is rejected in one sentence with %s', (_, text, reason) => {
  expect(reasonOf(text)).toMatch(/^WITNESSES is wrong: must [^\n]*\)\.$/);
  expect(reasonOf(text)).toContain(reason);
});
