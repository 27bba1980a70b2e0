import { describe, expect, test } from 'vitest';
import vectors from '../vectors/fingerprint.json' with { type: 'json' };
import { completions, guardianWords, isListWord, recoveryWords, sameWords } from './fingerprint.ts';

describe('the six words of a key', () => {
  test.each(vectors.cases.map((vector) => [vector.name, vector] as const))('match the vectors: %s', (_, vector) => {
    expect(recoveryWords(vector.beoId, vector.publicKey)).toEqual(vector.recovery);
    expect(guardianWords(vector.beoId, vector.publicKey)).toEqual(vector.guardian);
  });

  test('do not depend on the case of the key', () => {
    for (const { beoId, publicKey, recovery } of vectors.cases) {
      expect(recoveryWords(beoId, publicKey.toUpperCase())).toEqual(recovery);
    }
  });

  test('differ between guardian and recovery, between keys and between identities', () => {
    const all = vectors.cases.flatMap(({ recovery, guardian }) => [recovery.join(' '), guardian.join(' ')]);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the words a guardian types', () => {
  const expected = ['easily', 'volume', 'cradle', 'buyer', 'battle', 'advice'];

  test('match in any case, with extra spaces and with accents', () => {
    expect(sameWords(expected, expected)).toBe(true);
    expect(sameWords(['Easily', ' VOLUME ', 'cradle', 'buyér', 'battle.', 'ａdvice'], expected)).toBe(true);
  });

  test.each([
    ['another word', ['easily', 'volume', 'cradle', 'buyer', 'battle', 'adult']],
    ['another order', ['volume', 'easily', 'cradle', 'buyer', 'battle', 'advice']],
    ['one word less', expected.slice(1)],
    ['one word more', [...expected, 'zoo']],
    ['only prefixes', expected.map((word) => word.slice(0, 4))],
    ['nothing', []],
  ])('do not match: %s', (_, typed) => {
    expect(sameWords(typed, expected)).toBe(false);
  });

  test('are completed from their first letters, in the order of the list', () => {
    expect(completions('ab')).toEqual(
      'abandon ability able about above absent absorb abstract absurd abuse'.split(' '),
    );
    expect(completions(' ZOO')).toEqual(['zoo']);
    expect(completions('add')).toEqual(['add', 'addict', 'address']);
    expect(completions('xy')).toEqual([]);
    expect(completions('')).toEqual([]);
    expect(completions(' 1.')).toEqual([]);
  });

  test('are on the list or not', () => {
    expect(isListWord('Zoo ')).toBe(true);
    expect(isListWord('zo')).toBe(false);
    expect(isListWord('constructor')).toBe(false);
  });
});

test('four letters identify every word', () => {
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    for (const word of completions(letter)) {
      if (word.length >= 4) expect(completions(word.slice(0, 4))).toEqual([word]);
    }
  }
});
