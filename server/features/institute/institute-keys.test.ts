import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { approverOf } from './institute-keys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

const KEYS = ['the key of the first', 'the key of the second', 'the key of the third'] as const;
const DIGESTS = [sha256(KEYS[0]), sha256(KEYS[1]), sha256(KEYS[2])] as const;

test('each of the three keys identifies its approver', () => {
  expect(KEYS.map((key) => approverOf(DIGESTS, key))).toEqual([1, 2, 3]);
});

test('without a key there is no approver', () => {
  for (const nothing of [undefined, '']) {
    expect(() => approverOf(DIGESTS, nothing)).toThrow(expect.objectContaining({ code: 'INSTITUTE_KEY_MISSING' }));
  }
});

test('without configured keys no key is valid', () => {
  expect(() => approverOf(null, KEYS[0])).toThrow(expect.objectContaining({ code: 'INSTITUTE_KEY_INVALID' }));
});

test.each([
  ['another', 'the key of a fourth'],
  ['a part', KEYS[0].slice(0, -1)],
  ['one with a space', `${KEYS[0]} `],
  ['all of them', KEYS.join(', ')],
  ['a digest', DIGESTS[0].toString('hex')],
  ['no text of ours', '\0\ud800é'],
])('%s is no key', (_, presented) => {
  expect(() => approverOf(DIGESTS, presented)).toThrow(expect.objectContaining({ code: 'INSTITUTE_KEY_INVALID' }));
});
