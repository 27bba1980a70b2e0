import { expect, test } from 'vitest';
import { passphraseCandidates, passphraseLength, plainPassphrase } from './passphrase.ts';

test('the length of a passphrase is what a person counts, however the keyboard writes it', () => {
  expect([passphraseLength('café'), passphraseLength('cafe\u0301'), passphraseLength(' 🐎 ')]).toEqual([4, 4, 1]);
  expect([passphraseLength('—'), passphraseLength('--'), passphraseLength('a   b')]).toEqual([1, 1, 3]);
});

test.each([
  'don\'t "stop" - now',
  'don’t “stop” – now',
  'don‘t „stop“ — now',
  'don’t «stop» -- now',
  ' don’t\u00a0 “stop”   ‐ now\t',
])('a new passphrase is the same however a keyboard writes it: %s', (typed) => {
  expect(plainPassphrase(typed)).toBe('don\'t "stop" - now');
  expect(passphraseCandidates(typed, 2)).toEqual(['don\'t "stop" - now']);
});

test('a passphrase that every keyboard writes alike has one candidate', () => {
  for (const typed of ['five-horses at the table', 'cinco cavalos à mesa', ' cafe\u0301 '])
    expect(passphraseCandidates(typed, 1)).toEqual([typed.normalize('NFC').trim()]);
});

const STRAIGHT = 'don\'t "stop" -- now';
const SMART = 'don’t “stop” — now';

test.each([
  [STRAIGHT, SMART],
  [SMART, STRAIGHT],
  ["'five' horses", '‘five’ horses'],
  ['five - horses', 'five – horses'],
  ['five horses', 'five  \u00a0horses'],
])('an earlier file under %s is tried with what is typed as %s', (sealed, typed) => {
  expect(passphraseCandidates(typed, 1)).toContain(sealed);
  expect(passphraseCandidates(typed, 1)[0]).toBe(typed.normalize('NFKC').trim());
});
