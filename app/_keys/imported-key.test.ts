import { expect, test } from 'vitest';
import { readImportedKey } from './imported-key.ts';
import { newSecret, openedKey, openedSecret, wordsOf } from './secret.ts';

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

// RFC 8032 §7.1, test 1.
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const ANOTHER = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';

const problem = async (typed: string, knownKey = PUBLIC) => {
  const imported = await readImportedKey(typed, knownKey);
  return 'problem' in imported ? imported.problem : null;
};

test('reads a seed and a secret key in any notation', async () => {
  const notations = [SEED, SEED.toUpperCase(), `0x${SEED}`, ` ${SEED}\n`, SEED.replace(/(..)(?!$)/g, '$1:')];
  for (const typed of [...notations, SEED + PUBLIC, `${SEED} ${PUBLIC}`, `${SEED}\n${PUBLIC}`]) {
    const imported = await readImportedKey(typed, PUBLIC);
    expect('key' in imported && imported.key.publicKey).toBe(PUBLIC);
    expect('key' in imported && imported.key.secret.holds).toBe('seed');
  }
});

test('reads the 24 words', async () => {
  const entropy = newSecret();
  const { publicKey } = await openedKey(entropy);
  const imported = await readImportedKey((await wordsOf(entropy)).join(' '), publicKey);
  expect('key' in imported && imported.key.publicKey).toBe(publicKey);
  expect('key' in imported && imported.key.secret.holds).toBe('entropy');
});

test('reports why a text is not a secret key', async () => {
  expect(await problem(' ')).toEqual({ kind: 'empty' });
  expect(await problem(SEED.slice(1))).toEqual({ kind: 'length', count: 63 });
  expect(await problem((SEED + PUBLIC).slice(0, 120))).toEqual({ kind: 'length', count: 120 });
  expect(await problem(SEED + ANOTHER)).toEqual({ kind: 'halves' });
  expect(await problem(PUBLIC + SEED)).toEqual({ kind: 'halves' });
  expect(await problem(PUBLIC)).toEqual({ kind: 'publicKey' });
  expect(await problem('a passphrase of mine')).toEqual({ kind: 'foreign' });
  expect(await problem('{ "format": "perpetua-key" }')).toEqual({ kind: 'file' });
});

test('reports which words are wrong', async () => {
  const words = await wordsOf(newSecret());
  const few = await problem(words.slice(0, 23).join(' '));
  expect(few).toEqual({ kind: 'words', problem: { kind: 'count', count: 23 } });
  const misspelt = await problem([...words.slice(0, 23), 'pepperoni'].join(' '));
  expect(misspelt).toMatchObject({ kind: 'words', problem: { kind: 'unknown', words: [{ position: 24 }] } });
});

test('wiping the seed of an imported key does not change its secret', async () => {
  const bytes = newSecret();
  const key = await openedSecret({ holds: 'seed', bytes });
  const before = hexOf(bytes);
  key.seed.fill(0);
  expect(hexOf(key.secret.bytes)).toBe(before);
});
