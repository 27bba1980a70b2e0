import { expect, test } from 'vitest';
import type { Succession } from '../../protocol/ledger/relayer-keys.ts';
import { verifySuccession } from '../../protocol/ledger/succession.ts';
import { hexToBytes } from '../../protocol/signing/encoding.ts';
import vectors from '../../protocol/vectors/relayer-keys.json' with { type: 'json' };
import { mayHaveSigned, mayHaveSignedHead } from './known-keys.ts';

const itemsOf = (name: string) => (vectors.valid.find((vector) => vector.name === name)?.items ?? []).map(hexToBytes);
const known = (name: string): Succession => verifySuccession(vectors.ledgerId, itemsOf(name), vectors.firstKey);
const keyNamed = (name: string) => vectors.keys.find((key) => key.name === name)?.publicKey ?? '';
const [first, second, third, thief] = ['first', 'second', 'third', 'of a thief'].map(keyNamed) as [
  string,
  string,
  string,
  string,
];

test.each<[key: string, name: string, seq: number, entry: boolean, head: boolean]>([
  [first, 'the first', 8, true, true],
  [first, 'the first', 9, true, true],
  [first, 'the first', 10, false, false],
  [first, 'the first', 1_000_000_000, false, false],
  [second, 'the second', 8, false, false],
  [second, 'the second', 9, false, true],
  [second, 'the second', 10, true, true],
  [second, 'the second', 1_000_000_000, true, true],
  [third, 'the committed', 11, true, true],
  [thief, 'another', 10, false, false],
])('after a rotation in entry 9, %s (%s key) may sign entry %i: %s, a head over it: %s', (key, _, seq, entry, head) => {
  const keys = known('one rotation');
  expect([mayHaveSigned(keys, key, seq), mayHaveSignedHead(keys, key, seq, [])]).toEqual([entry, head]);
});

test('a database that lost two rotations believes a head whose source shows them', () => {
  const { keys } = known('two rotations');
  const last = keys.at(-1)?.fromSeq ?? 0;
  const before = known('a commitment');
  expect(mayHaveSignedHead(before, third, last, itemsOf('two rotations'))).toBe(true);
  expect(mayHaveSignedHead(before, third, last, [])).toBe(false);
  expect(mayHaveSignedHead(before, third, last, itemsOf('one rotation'))).toBe(false);
  expect(mayHaveSignedHead(before, third, last, [Buffer.from('no item')])).toBe(false);
});

test('a source that shows another history of keys is not believed', () => {
  const others = known('a rotation in the entry after the commitment');
  const elsewhere: Succession = { ...others, keys: [others.keys[0]], nextKeyDigest: '00'.repeat(32) };
  expect(mayHaveSignedHead(elsewhere, third, 1_000, itemsOf('two rotations'))).toBe(false);
});
