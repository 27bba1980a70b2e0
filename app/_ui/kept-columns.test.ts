import { expect, test } from 'vitest';
import { hiddenIn } from './kept-columns.ts';

test('what was stored in another form hides no column', () => {
  expect(hiddenIn({ consents: ['given', 'ends'] })).toEqual({ consents: ['given', 'ends'] });
  expect(hiddenIn({ consents: 'given', reads: [1, 'by'] })).toEqual({ consents: [], reads: ['by'] });
  for (const other of [null, 'text', 3]) expect(hiddenIn(other)).toEqual({});
});
