import { describe, expect, test } from 'vitest';
import * as list from '../../../protocol/signing/fingerprint.ts';
import { checkWords } from './check-words.ts';

const request = { beo_id: '9d5c1f3e-2b1a-5c4d-8e7f-0a1b2c3d4e5f', new_public_key: 'ab'.repeat(32) };
const right = list.recoveryWords(request.beo_id, request.new_public_key);
const check = (typed: readonly string[]) => checkWords(list, typed, request);
const other = (word: string | undefined) => (word === 'zoo' ? 'able' : 'zoo');

describe('the six words that a guardian types', () => {
  test('match in any case and with spaces around them', () => {
    expect(check(right)).toBeNull();
    expect(check(right.map((word) => ` ${word.toUpperCase()} `))).toBeNull();
  });

  test('are a mismatch with any word wrong or two swapped, without reporting which', () => {
    for (const index of right.keys()) {
      expect(check(right.with(index, other(right[index])))).toEqual({ kind: 'mismatch', wrong: [] });
    }
    expect(check([...right].reverse())).toEqual({ kind: 'mismatch', wrong: [] });
  });

  test('are a mismatch where they are those of another request', () => {
    const others = list.recoveryWords(request.beo_id, 'cd'.repeat(32));
    expect(check(others)).toEqual({ kind: 'mismatch', wrong: [] });
  });

  test('are incomplete or unlisted where one is missing or not on the list, and it is reported which', () => {
    expect(check(right.with(1, '').with(4, '  '))).toEqual({ kind: 'missing', wrong: [1, 4] });
    expect(check(right.with(2, 'perpetua'))).toEqual({ kind: 'unlisted', wrong: [2] });
  });
});
