import { expect, test } from 'vitest';
import { exploredReference, shownText } from './read-reference.ts';

test('adds the suffix to a name, and keeps ids and domains', () => {
  const id = '0e9a4f6c-6b1c-5f43-9f3f-0d7a4e1c2b3a';
  const transaction = 'aB3-'.repeat(10).concat('xY0');
  expect(exploredReference(' Ana ', 'bsp')).toBe('ana.bsp');
  for (const typed of [id, `tok_${id}`, transaction, 'ana.bsp']) expect(exploredReference(typed, 'bsp')).toBe(typed);
  expect(exploredReference('   ', 'bsp')).toBe('');
});

test('shows a typed text without control characters, cut between characters', () => {
  expect(shownText(' a\0\n b ')).toBe('a  b');
  expect(shownText('😀'.repeat(80))).toBe('😀'.repeat(80));
  expect(shownText('😀'.repeat(10_000))).toBe(`${'😀'.repeat(80)}…`);
});
