import { expect, test } from 'vitest';
import { lineIn, MAX_LINE, withLine, withLineOf } from './link-line.ts';

const URL_OF_LINK = 'https://perpetua.example/g/token';
const fragmentOf = (link: string) => new URL(link).hash;

test('a line is in the fragment of a link only, and is read from there', () => {
  const link = withLine(URL_OF_LINK, ' Ana,  do coral & vizinha #2 ');
  expect(link.split('#')[0]).toBe(URL_OF_LINK);
  expect(lineIn(fragmentOf(link))).toBe('Ana, do coral & vizinha #2');
  expect(withLine(URL_OF_LINK, '  ')).toBe(URL_OF_LINK);
  expect(lineIn('')).toBeNull();
  expect(lineIn('#backup')).toBeNull();
  expect(lineIn('#from=%E0%A4%A')).toBeNull();
});

test('a new link keeps the line of an earlier one', () => {
  expect(withLineOf(`${URL_OF_LINK}2`, withLine(URL_OF_LINK, 'Ana'))).toBe(withLine(`${URL_OF_LINK}2`, 'Ana'));
  expect(withLineOf(URL_OF_LINK, URL_OF_LINK)).toBe(URL_OF_LINK);
  expect(withLineOf(URL_OF_LINK, undefined)).toBe(URL_OF_LINK);
});

test('a line that is read is short, and has no character that hides or turns text', () => {
  const read = (text: string) => lineIn(`#from=${encodeURIComponent(text)}`);
  expect(read('a\u202Eb\u200B\u0000c')).toBe('a b c');
  expect(read('x'.repeat(300))).toHaveLength(MAX_LINE);
  expect(read('\u2066')).toBeNull();
  expect(read('\u3164\u2800\u115f')).toBeNull();
  expect(read('Zo\u0308e\u0323\u0301')).toBe('Zo\u0308e\u0323\u0301');
  expect(read(`a${'\u0301'.repeat(40)}b`)).toBe('a\u0301\u0301 b');
});
