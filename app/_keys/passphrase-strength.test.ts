import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../messages/languages.ts';
import { passphraseWeakness } from './passphrase-strength.ts';

const NAMES = ['quiet-river-olive.bsp', 'quiet-river-olive', 'perpetua'];

describe.each(LANGUAGES)('a new passphrase, on a page in %s', (language) => {
  test.each([
    ['123456789012', 'common'],
    ['P@ssw0rd1234', 'similar'],
    ['abababababab', 'repeat'],
    ['abcdefghijklm', 'sequence'],
    ['quiet-river-olive', 'own'],
  ] as const)('%j is rejected as %s', async (typed, weakness) => {
    expect(await passphraseWeakness(typed, language, NAMES)).toBe(weakness);
  });

  test.each(['herring lamp quorum Saturday', 'x7$Lq2!vBn0z', '五頭の馬が食卓についている'])(
    '%j is accepted',
    async (typed) => {
      expect(await passphraseWeakness(typed, language, NAMES)).toBeNull();
    },
  );
});

test('numbers counted in the language of the page are a sequence', async () => {
  expect(await passphraseWeakness('one two three four', 'en', NAMES)).toBe('sequence');
  expect(await passphraseWeakness('um dois três quatro', 'pt-BR', NAMES)).toBe('sequence');
  expect(await passphraseWeakness('uno dos tres cuatro', 'es', NAMES)).toBe('sequence');
});
