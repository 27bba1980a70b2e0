import { describe, expect, test } from 'vitest';
import { isStrictPublicKey } from '../../protocol/signing/ed25519.ts';
import { bytesToHex, hexToBytes } from '../../protocol/signing/encoding.ts';
import { newSecret, openedKey, publicKeyOf, readWords, seedOf, wordsOf } from './secret.ts';
import vectors from './vectors/keys.json' with { type: 'json' };

const example = vector(3);
const words = example.words.split(' ');

function vector(index: number) {
  const found = vectors.cases[index];
  if (!found) throw new Error(`There is no vector ${index}.`);
  return found;
}

describe('a key', () => {
  test('is 32 different random bytes each time', () => {
    const secrets = Array.from({ length: 100 }, () => newSecret());
    expect(secrets.every(({ length }) => length === 32)).toBe(true);
    expect(new Set(secrets.map(bytesToHex)).size).toBe(100);
  });

  test.each(vectors.cases)('of the vectors has these words, seed and public key: $publicKey', async (vector) => {
    const entropy = hexToBytes(vector.entropy);
    expect((await wordsOf(entropy)).join(' ')).toBe(vector.words);
    const seed = await seedOf(entropy);
    expect(bytesToHex(seed)).toBe(vector.seed);
    expect(await publicKeyOf(seed)).toBe(vector.publicKey);
    expect(await openedKey(entropy)).toEqual({
      secret: { holds: 'entropy', bytes: entropy },
      seed,
      publicKey: vector.publicKey,
    });
  });

  test('that is new has a strict public key', async () => {
    const { publicKey } = await openedKey(newSecret());
    expect(isStrictPublicKey(publicKey)).toBe(true);
  });
});

describe('24 words', () => {
  test.each([
    ['as they are', example.words],
    ['with numbers, as on the card', words.map((word, index) => `${index + 1}. ${word}`).join('\n')],
    ['as a table', words.map((word, index) => `| ${index + 1} | ${word} |`).join('\n')],
    ['with bullets', words.map((word) => `• ${word}.`).join('\n')],
    ['in capitals and with commas', words.join(', ').toUpperCase()],
    ['one by one', words],
    ['one by one, as a phone wrote them', words.map((word) => ` ${word.at(0)?.toUpperCase()}${word.slice(1)} `)],
  ])('%s are parsed', async (_, typed) => {
    expect(await readWords(typed)).toEqual({ entropy: hexToBytes(example.entropy) });
  });

  test('are rejected with the positions of those not on the list', async () => {
    const typed = words.with(2, 'árvore').with(20, '12');
    expect(await readWords(typed)).toEqual({
      problem: {
        kind: 'unknown',
        words: [
          { position: 3, typed: 'árvore' },
          { position: 21, typed: '12' },
        ],
      },
    });
  });

  test.each([[0], [12], [23], [25]])('are rejected when there are %i of them', async (count) => {
    const typed = Array.from({ length: count }, () => 'zoo').join(' ');
    expect(await readWords(typed)).toEqual({ problem: { kind: 'count', count } });
  });

  test('are rejected when one is wrong or two are swapped', async () => {
    const other = words.with(5, words[5] === 'zoo' ? 'zone' : 'zoo');
    const swapped = words.with(0, words[1] ?? '').with(1, words[0] ?? '');
    expect(await readWords(other)).toEqual({ problem: { kind: 'checksum' } });
    expect(await readWords(swapped)).toEqual({ problem: { kind: 'checksum' } });
  });
});
