import { webcrypto } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../protocol/signing/ed25519.ts';
import { bytesToHex, hexToBytes } from '../../protocol/signing/encoding.ts';
import { messageBytes } from '../../protocol/signing/message-bytes.ts';
import { newSecret, openedKey, publicKeyOf, readWords, seedOf, signOperation, wordsOf } from './secret.ts';
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

describe('a signed operation', () => {
  const fields = { invitationId: 'b', beoId: 'a', nested: { z: 1, a: [true, null] } };

  test('has the given fields, and a signature of the canonical message that WebCrypto verifies', async () => {
    const { signature, ...signed } = await signOperation(hexToBytes(example.seed), 'acceptGuardian', fields);
    expect(signed).toEqual({ ...fields, nonce: signed.nonce, timestamp: signed.timestamp });
    const message = messageBytes({ function: 'acceptGuardian', ...signed });
    expect(new TextDecoder().decode(message)).toBe(
      `{"beoId":"a","function":"acceptGuardian","invitationId":"b","nested":{"a":[true,null],"z":1},"nonce":"${signed.nonce}","timestamp":"${signed.timestamp}"}`,
    );
    const bytes = decodeSignature(signature) ?? new Uint8Array();
    expect(verifySignature(example.publicKey, message, bytes)).toBe(true);
    const key = await webcrypto.subtle.importKey('raw', hexToBytes(example.publicKey), 'Ed25519', false, ['verify']);
    expect(await webcrypto.subtle.verify('Ed25519', key, bytes, message)).toBe(true);
  });

  test('has a new valid nonce', async () => {
    const [first, second] = await Promise.all([
      signOperation(hexToBytes(example.seed), 'confirmRecovery', {}),
      signOperation(hexToBytes(example.seed), 'confirmRecovery', {}),
    ]);
    expect(first.nonce).toMatch(/^[\w-]{32}$/);
    expect(first.nonce).not.toBe(second.nonce);
  });

  test('has the time of the server where this device’s clock is wrong', async () => {
    const day = 86_400_000;
    const { timestamp } = await signOperation(hexToBytes(example.seed), 'lockBEO', {}, { clockSkew: day });
    expect(Date.now() - Date.parse(timestamp)).toBeGreaterThanOrEqual(day);
    expect(Date.now() - Date.parse(timestamp)).toBeLessThan(day + 60_000);
  });

  test('is not valid for another key', async () => {
    const { signature, ...signed } = await signOperation(hexToBytes(vector(2).seed), 'lockBEO', { beoId: 'a' });
    const bytes = decodeSignature(signature) ?? new Uint8Array();
    expect(verifySignature(example.publicKey, messageBytes({ function: 'lockBEO', ...signed }), bytes)).toBe(false);
  });
});
