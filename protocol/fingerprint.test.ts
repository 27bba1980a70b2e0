import { describe, expect, test } from 'vitest';
import {
  completions,
  guardianWords,
  isListWord,
  plainWord,
  plainWords,
  recoveryWords,
  sameWords,
} from './fingerprint.ts';
import vectors from './vectors/fingerprint.json' with { type: 'json' };

describe('the six words of a key', () => {
  test.each(vectors.cases.map((one) => [one.name, one] as const))('match the vectors: %s', (_, vector) => {
    expect(recoveryWords(vector.beoId, vector.publicKey)).toEqual(vector.recovery);
    expect(guardianWords(vector.beoId, vector.publicKey)).toEqual(vector.guardian);
  });

  test('do not depend on the case the key is written in', () => {
    for (const { beoId, publicKey, recovery } of vectors.cases) {
      expect(recoveryWords(beoId, publicKey.toUpperCase())).toEqual(recovery);
    }
  });

  test('are others for a guardian than for a recovery, for another key and for another identity', () => {
    const all = vectors.cases.flatMap(({ recovery, guardian }) => [recovery.join(' '), guardian.join(' ')]);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('what a guardian typed', () => {
  const heard = ['easily', 'volume', 'cradle', 'buyer', 'battle', 'advice'];

  test('matches whatever the case, the spaces, and the accents of the keyboard', () => {
    expect(sameWords(heard, heard)).toBe(true);
    expect(sameWords(['Easily', ' VOLUME ', 'cradle', 'buyér', 'battle.', 'ａdvice'], heard)).toBe(true);
  });

  test.each([
    ['another word', ['easily', 'volume', 'cradle', 'buyer', 'battle', 'adult']],
    ['another order', ['volume', 'easily', 'cradle', 'buyer', 'battle', 'advice']],
    ['a word less', heard.slice(1)],
    ['a word more', [...heard, 'zoo']],
    ['only the beginnings', heard.map((word) => word.slice(0, 4))],
    ['nothing', []],
  ])('does not match with %s', (_, typed) => {
    expect(sameWords(typed, heard)).toBe(false);
  });

  test('is completed from its first letters, in the order of the list', () => {
    expect(completions('ab')).toEqual(
      'abandon ability able about above absent absorb abstract absurd abuse'.split(' '),
    );
    expect(completions(' ZOO')).toEqual(['zoo']);
    expect(completions('add')).toEqual(['add', 'addict', 'address']);
    expect(completions('xy')).toEqual([]);
    expect(completions('')).toEqual([]);
    expect(completions(' 1.')).toEqual([]);
  });

  test('is on the list, or is not', () => {
    expect(isListWord('Zoo ')).toBe(true);
    expect(isListWord('zo')).toBe(false);
    expect(isListWord('constructor')).toBe(false);
  });

  test('is taken apart without the numbers and commas somebody put between', () => {
    expect(plainWords(' 1. Easily, 2) volume\n3 cradle;buyer ')).toEqual(['easily', 'volume', 'cradle', 'buyer']);
    expect(plainWords(' \n ')).toEqual([]);
    expect(plainWord('  Árvore ')).toBe('arvore');
  });
});

test('four letters are enough for every word, as the list promises', () => {
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    for (const word of completions(letter)) {
      if (word.length >= 4) expect(completions(word.slice(0, 4))).toEqual([word]);
    }
  }
});
