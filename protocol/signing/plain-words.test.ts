import { expect, test } from 'vitest';
import { plainWord, plainWords } from './plain-words.ts';

test.each([
  ['numbers', '1. easily 2) volume (3) cradle 4: buyer'],
  ['numbers without a space', '1.easily\n2.volume\n3.cradle\n4.buyer'],
  ['full-width numbers', '１．easily　２．volume　③ cradle　④ buyer'],
  ['ordinal numbers', '1º easily\n2ª volume\n3.º cradle\n№ 4 buyer'],
  ['bullets', '• easily\n‣ volume\n– cradle\n* buyer'],
  ['hyphens', '- easily\n- volume\n- cradle\n- buyer'],
  ['hyphens alone', 'easily-volume-cradle-buyer'],
  ['a table', '| 1 | easily |\n| 2 | volume |\n|3|cradle|\n|4|buyer|'],
  ['pipes alone', 'easily|volume|cradle|buyer'],
  ['dots', 'easily. volume. cradle.buyer.'],
  ['commas and semicolons', 'easily,volume;cradle , buyer'],
  ['brackets and quotes', '["easily", “volume”, ‘cradle’, <buyer>]'],
  ['tabs and line breaks', 'easily\tvolume\r\ncradle\u2028buyer'],
  ['non-breaking and zero-width spaces', '\ufeffeasily\u00a0volume\u200bcradle\u202fbuyer\u200b'],
  ['invisible characters', 'eas\u00adily vol\u2060ume \u200ecradle\u200f buy\u200der'],
  ['upper case and accents', 'EASILY Volume Crâdle bu\u0301yer'],
])('words are read from a text with %s', (_, text) => {
  expect(plainWords(text)).toEqual(['easily', 'volume', 'cradle', 'buyer']);
});

test('a text without letters has no words', () => {
  for (const text of ['', ' \n ', '1. 2) •', '| 3 |']) expect(plainWords(text)).toEqual([]);
});

test('one word is read without accents, and whatever stands beside it', () => {
  expect(['  Árvore ', '3. zoo', '“Zoo”,', '24º zoo'].map(plainWord)).toEqual(['arvore', 'zoo', 'zoo', 'zoo']);
});
