import { expect, test } from 'vitest';
import { screenFor } from '../../_wizard/step-order.ts';
import { REPLACE, type Replacing } from './replace-key-flow.ts';

const shown = (requested: string | null, changes: Partial<Replacing> = {}) =>
  screenFor(REPLACE, requested, { hasCopy: false, isSealed: false, outcome: null, ...changes });

test('a key is replaced only once the person has a copy and this browser can keep it', () => {
  expect(shown(null)).toBe('what');
  expect(shown('sign')).toBe('key');
  expect(shown('sign', { hasCopy: true })).toBe('here');
  expect(shown('sign', { hasCopy: true, isSealed: true })).toBe('sign');
});

test('only the passphrase is asked for where the identity has the new key already', () => {
  for (const requested of [null, 'key', 'sign']) expect(shown(requested, { outcome: 'keep' })).toBe('keep');
  expect(shown('sign', { outcome: 'done' })).toBe('done');
});
