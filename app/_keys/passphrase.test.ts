import { expect, test } from 'vitest';
import { passphraseLength } from './passphrase.ts';

test('the length of a passphrase is what a person counts, however the keyboard writes the accents', () => {
  expect([passphraseLength('café'), passphraseLength('cafe\u0301'), passphraseLength(' 🐎 ')]).toEqual([4, 4, 1]);
});
