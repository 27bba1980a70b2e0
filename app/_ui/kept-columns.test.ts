import { expect, test } from 'vitest';
import { hiddenIn, splitColumns } from './kept-columns.ts';

test('what was stored in another form hides no column', () => {
  expect(hiddenIn({ consents: ['given', 'ends'] })).toEqual({ consents: ['given', 'ends'] });
  expect(hiddenIn({ consents: 'given', reads: [1, 'by'] })).toEqual({ consents: [], reads: ['by'] });
  for (const other of [null, 'text', 3]) expect(hiddenIn(other)).toEqual({});
});

test('neither the first column nor a fixed one can be hidden, whatever was stored', () => {
  const [what, flag, by] = [{ key: 'what' }, { key: 'flag', isFixed: true }, { key: 'by' }];
  expect(splitColumns([what, flag, by], ['what', 'flag', 'by', 'gone'])).toEqual({
    choices: [by],
    shown: [what, flag],
  });
  expect(splitColumns([what, flag, by], []).shown).toEqual([what, flag, by]);
});
