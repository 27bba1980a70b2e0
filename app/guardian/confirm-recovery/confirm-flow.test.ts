import { describe, expect, test } from 'vitest';
import { screenFor } from '../../_wizard/step-order.ts';
import { advisesToStop, CONFIRM, checked, NO_WORDS, typed, type WordsProblem } from './confirm-flow.ts';

const words = ['zoo', 'able', 'cat', 'dog', 'egg', 'fox'];
const problem = (kind: WordsProblem['kind']): WordsProblem => ({ kind, wrong: [0] });

test('the key is asked for only after the right words, and nothing is sent without the key', () => {
  const shown = (requested: string, wordsAreRight: boolean, hasKey: boolean) =>
    screenFor(CONFIRM, requested, { wordsAreRight, hasKey, confirmed: false });
  expect(shown('key', false, false)).toBe('words');
  expect(shown('confirm', false, true)).toBe('words');
  expect(shown('confirm', true, false)).toBe('key');
  expect(shown('confirm', true, true)).toBe('confirm');
  expect(shown('stop', true, true)).toBe('stop');
});

describe('the words that a guardian types', () => {
  test('are right until they are changed', () => {
    const right = checked(typed(NO_WORDS, words), null);
    expect(right).toMatchObject({ words, areRight: true });
    expect(typed(right, [...words].reverse())).toMatchObject({ areRight: false, problem: null });
  });

  test('lead to the advice to stop after the third mismatch, but not while words are missing or misspelt', () => {
    const kinds: WordsProblem['kind'][] = ['unlisted', 'unlisted', 'missing', 'unchecked', 'mismatch', 'mismatch'];
    const twice = kinds.reduce((before, kind) => checked(before, problem(kind)), NO_WORDS);
    expect(advisesToStop(twice)).toBe(false);
    expect(advisesToStop(checked(typed(twice, words), problem('mismatch')))).toBe(true);
    expect(advisesToStop(checked(twice, null))).toBe(false);
  });
});
