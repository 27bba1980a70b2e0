import { describe, expect, test } from 'vitest';
import { passphraseLength, passphraseProblem } from './passphrase.ts';

describe('a new passphrase', () => {
  test.each(['', 'short', '12 letters ', 'éééé', '  abcdefghijk  '])('%j is too short', (passphrase) => {
    expect(passphraseProblem(passphrase)).toBe('short');
  });

  test.each(['aaaaaaaaaaaa', 'abababababab', '123412341234'])('%j is too simple', (passphrase) => {
    expect(passphraseProblem(passphrase)).toBe('simple');
  });

  test.each(['cinco cavalos à mesa', 'x7$Lq2!vBn0z', '五頭の馬が食卓についている'])('%j will do', (passphrase) => {
    expect(passphraseProblem(passphrase)).toBeNull();
  });
});

test('its length is what a person counts, however the keyboard writes the accents', () => {
  expect([passphraseLength('café'), passphraseLength('cafe\u0301'), passphraseLength(' 🐎 ')]).toEqual([4, 4, 1]);
});
