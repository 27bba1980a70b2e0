import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sealKeyFile } from '../app/_keys/key-file.ts';
import { derive } from '../app/_keys/scrypt.ts';
import { verifySignature } from '../protocol/signing/ed25519.ts';
import { hexToBytes } from '../protocol/signing/encoding.ts';
import { amount } from '../protocol/test-amount.ts';
import { openKeyFile } from './key-file.ts';
import { generateKey, keyFromSeed } from './keys.ts';
import { generateWords, keyFromWords } from './words.ts';

const vector = (name: string) => JSON.parse(readFileSync(`app/_keys/vectors/${name}.json`, 'utf8'));
const CHEAP = { N: 2 ** 14, r: 8, p: 1 };

describe('a key', () => {
  test('is new each time, signs, and keeps its seed out of logs', async () => {
    const [one, two] = [generateKey(), generateKey()];
    expect(one.publicKey).not.toBe(two.publicKey);
    const message = new TextEncoder().encode('a message');
    expect(verifySignature(one.publicKey, message, await one.sign(message))).toBe(true);
    expect(JSON.stringify(one)).not.toContain(one.seed);
    expect(keyFromSeed(one.seed).publicKey).toBe(one.publicKey);
    expect(keyFromSeed(hexToBytes(one.seed)).publicKey).toBe(one.publicKey);
  });

  test.each(['', 'ab', 'z'.repeat(64), new Uint8Array(31)])('is not made of the seed %s', (seed) => {
    expect(() => keyFromSeed(seed)).toThrow(/32 bytes/);
  });

  test.each(vector('keys').cases as { words: string; publicKey: string; public_key: string; seed: string }[])(
    'of recovery words is that of the dashboard',
    ({ words, seed }) => {
      expect(keyFromWords(words).seed).toBe(seed);
      expect(
        keyFromWords(
          words
            .split(' ')
            .map((word, index) => `| ${index + 1}. | ${word.toUpperCase()} |`)
            .join('\n'),
        ).seed,
      ).toBe(seed);
    },
  );

  test('of new words can be made again', () => {
    const words = generateWords();
    expect(words.split(' ').length).toBe(24);
    expect(keyFromWords(words).publicKey).toBe(keyFromWords(words).publicKey);
    expect(generateWords()).not.toBe(words);
  });

  test.each([
    ['abandon '.repeat(23).trim(), /there are 23/],
    [`${'abandon '.repeat(23)}abandonn`, /not on the word list: abandonn/],
    ['abandon '.repeat(24).trim(), /one is wrong/],
  ])('is not made of the words %s', (words, problem) => {
    expect(() => keyFromWords(words)).toThrow(problem);
  });
});

describe('a key file', () => {
  const { file, passphrase } = vector('key-file');

  test('of the dashboard is opened, with accents typed in either form', async () => {
    const key = await openKeyFile(JSON.stringify(file), ` ${passphrase.normalize('NFD')} `);
    expect(key.publicKey).toBe(file.public_key);
  });

  test.each(vector('key-file-passphrases').cases as { file: object; typed: string[] }[])(
    'is opened as any keyboard writes its passphrase',
    async ({ file, typed }) => {
      for (const passphrase of amount(typed.slice(-1), typed))
        expect((await openKeyFile(JSON.stringify(file), passphrase)).publicKey).toHaveLength(64);
    },
  );

  test('with an imported seed is opened', async () => {
    const { publicKey, seed } = generateKey();
    const content = {
      secret: { holds: 'seed', bytes: hexToBytes(seed) },
      publicKey,
      purpose: 'institution',
      beoDomain: 'lab.bsp',
      createdAt: new Date(),
    } as const;
    const text = await sealKeyFile(content, 'four words for this', { derive, cost: CHEAP });
    expect((await openKeyFile(text, 'four words for this')).seed).toBe(seed);
    await expect(openKeyFile(text, 'four words for that')).rejects.toThrow(/passphrase is wrong/);
    const moved = JSON.stringify({ ...JSON.parse(text), purpose: 'guardian' });
    await expect(openKeyFile(moved, 'four words for this')).rejects.toThrow(/changed/);
  });

  test.each([
    ['no JSON', 'words', /not JSON/],
    ['another format', '{"format":"other"}', /another format/],
    ['null', 'null', /another format/],
    ['a later version', '{"format":"perpetua-key","version":3}', /later version/],
    [
      'more memory than a file may ask for',
      JSON.stringify({ ...file, kdf: { ...file.kdf, N: 2 ** 24 } }),
      /parameters/,
    ],
    ['a cut ciphertext', JSON.stringify({ ...file, kdf: { ...file.kdf, N: 2 ** 14 }, ciphertext: 'AAA' }), /damaged/],
  ])('with %s is refused', async (_, text, problem) => {
    await expect(openKeyFile(text, passphrase)).rejects.toThrow(problem);
  });
});
