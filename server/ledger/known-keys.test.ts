import { expect, test } from 'vitest';
import type { Succession } from '../../protocol/ledger/relayer-keys.ts';
import { verifySuccession } from '../../protocol/ledger/succession.ts';
import { hexToBytes } from '../../protocol/signing/encoding.ts';
import vectors from '../../protocol/vectors/relayer-keys.json' with { type: 'json' };
import { roleOfKey } from './known-keys.ts';

const itemsOf = (name: string) => (vectors.valid.find((vector) => vector.name === name)?.items ?? []).map(hexToBytes);
const known = (name: string): Succession => verifySuccession(vectors.ledgerId, itemsOf(name), vectors.firstKey);
const keyNamed = (name: string) => vectors.keys.find((key) => key.name === name)?.publicKey ?? '';

test.each([
  ['first', 'replaced'],
  ['second', 'current'],
  ['third', 'current'],
  ['fourth', 'unknown'],
  ['of a thief', 'unknown'],
])('after one rotation, which commits to the third key, the key named %s is %s', (name, role) => {
  expect(roleOfKey(known('one rotation'), keyNamed(name))).toBe(role);
});

test('a database that lost two rotations believes the key that the source proves', () => {
  const before = known('a commitment');
  const third = keyNamed('third');
  expect(roleOfKey(before, third, itemsOf('two rotations'))).toBe('current');
  expect(roleOfKey(before, third)).toBe('unknown');
  expect(roleOfKey(before, third, itemsOf('one rotation'))).toBe('unknown');
  expect(roleOfKey(before, third, [Buffer.from('no item')])).toBe('unknown');
});

test('a replaced key stays replaced, whatever rotation its thief shows', () => {
  const items = itemsOf('a rotation in the entry after the commitment');
  expect(roleOfKey(known('two rotations'), keyNamed('first'), items)).toBe('replaced');
  expect(roleOfKey(known('two rotations'), keyNamed('second'), items)).toBe('replaced');
});

test('a source that shows another history of keys is not believed', () => {
  const { keys } = known('a commitment');
  const elsewhere: Succession = { ledgerId: vectors.ledgerId, keys, nextKeyDigest: '00'.repeat(32) };
  expect(roleOfKey(elsewhere, keyNamed('third'), itemsOf('two rotations'))).toBe('unknown');
});
