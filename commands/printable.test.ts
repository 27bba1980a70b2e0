import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['a terminal escape', '\u001b[2J\u001b]0;owned\u0007', '\\u{1b}[2J\\u{1b}]0;owned\\u{7}'],
  ['a one-character escape', '\u009b31m', '\\u{9b}31m'],
  ['line breaks', 'a\r\nNo breach was found.\n', 'a\\u{d}\\u{a}No breach was found.\\u{a}'],
  ['other line separators', 'a\u2028b\u2029c\u0085d\u000be', 'a\\u{2028}b\\u{2029}c\\u{85}d\\u{b}e'],
  ['direction overrides', '\u202Egpj.exe\u2066\u061C', '\\u{202e}gpj.exe\\u{2066}\\u{61c}'],
  ['invisible characters', 'a\u200Bb\uFEFF\u00AD\u{E0041}', 'a\\u{200b}b\\u{feff}\\u{ad}\\u{e0041}'],
  ['deletions', 'a\u0008\u007f\u0000', 'a\\u{8}\\u{7f}\\u{0}'],
  ['a lone surrogate', '\ud83d!', '\\u{d83d}!'],
])('escapes %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printable(printable(text))).toBe(shown);
});

test.each(['Éléphant — “ok”, 北京 😀 עברית', '  7 of 9 {x} \\ "'])('does not change printable text: %s', (text) => {
  expect(printable(text)).toBe(text);
});
