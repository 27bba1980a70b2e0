import { expect, test } from 'vitest';
import { initialsOf } from './shields.tsx';

test('a shield has the first letters of the first two words of a name', () => {
  expect(initialsOf('Maria Silva', 'pt-BR')).toBe('MS');
  expect(initialsOf('ana', 'en')).toBe('A');
  expect(initialsOf('João Pedro dos Santos', 'pt-BR')).toBe('JP');
  expect(initialsOf('𐐨na', 'en')).toBe('𐐀');
  expect(initialsOf(' +55 11 ', 'en')).toBeNull();
});
