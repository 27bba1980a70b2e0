import { describe, expect, test } from 'vitest';
import { passphraseWeakness } from './passphrase-strength.ts';

const NAMES = ['quiet-river-olive.bsp', 'quiet-river-olive', 'perpetua'];

describe('a new passphrase', () => {
  test.each([
    ['123456789012', 'common'],
    ['P@ssw0rd1234', 'similar'],
    ['abababababab', 'repeat'],
    ['abcdefghijklm', 'sequence'],
    ['quiet-river-olive', 'own'],
  ] as const)('%j is rejected as %s', (typed, weakness) => {
    expect(passphraseWeakness(typed, NAMES)).toBe(weakness);
  });

  test.each(['herring lamp quorum Saturday', 'x7$Lq2!vBn0z', '五頭の馬が食卓についている'])(
    '%j is accepted',
    (typed) => {
      expect(passphraseWeakness(typed, NAMES)).toBeNull();
    },
  );
});
