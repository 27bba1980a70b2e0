import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import vectors from '../vectors/relayer-keys.json' with { type: 'json' };
import { keyAt, keyDigest, possessionMessage, readKeyMessage } from './relayer-keys.ts';
import { InvalidSuccession, MAX_KEY_ITEMS, verifySuccession } from './succession.ts';

/** Titles for %s, because Vitest shortens $name. */
const titled = <Case extends { readonly name: string }>(cases: readonly Case[]) =>
  cases.map((vector) => [vector.name, vector] as const);

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const { ledgerId, firstKey } = vectors;

function verified(items: readonly Uint8Array[], key?: string) {
  try {
    return verifySuccession(ledgerId, items, key);
  } catch (error) {
    if (error instanceof InvalidSuccession) return error.flaw;
    throw error;
  }
}

test('no two cases have the same name', () => {
  const names = [...vectors.valid, ...vectors.invalid].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each(titled(vectors.keys))('the digest of the %s key is its SHA-256', (_, { publicKey, digest }) => {
  expect(createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex')).toBe(digest);
  expect(keyDigest(publicKey)).toBe(digest);
});

test.each(titled(vectors.possession))('%s has the proof of possession of the vector', (_, vector) => {
  const message = possessionMessage({ ledgerId, ...vector }, vector.currentKey);
  expect(Buffer.from(message).toString()).toBe(vector.message);
  const { secretKey = '' } = vectors.keys.find(({ publicKey }) => publicKey === vector.newKey) ?? {};
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, Buffer.from(secretKey, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  expect(sign(null, Buffer.from(vector.message), key).toString('base64')).toBe(vector.signature);
});

describe('a succession is valid with', () => {
  test.each(titled(vectors.valid))('%s', (_, { items, keys, nextKeyDigest }) => {
    expect(verified(items.map(hexToBytes), firstKey)).toEqual({ ledgerId, keys, nextKeyDigest });
  });

  test('items alone, if there are any; otherwise the first key is needed', () => {
    const [none, one] = vectors.valid;
    expect(verified(one?.items.map(hexToBytes) ?? [])).toMatchObject({ keys: one?.keys });
    expect(verified(none?.items.map(hexToBytes) ?? [])).toBe('first-key');
    expect(verified([], vectors.keys[1]?.publicKey)).toBe('first-key');
  });
});

describe('a succession is invalid with', () => {
  test.each(titled(vectors.invalid))('%s', (_, { items, flaw }) => {
    expect(verified(items.map(hexToBytes), firstKey)).toBe(flaw);
    expect(verified(items.slice(0, -1).map(hexToBytes), firstKey)).toBeTypeOf('object');
  });

  test('a change of any byte, or too many items', () => {
    const items = (vectors.valid.find(({ name }) => name === 'one rotation')?.items ?? []).map(hexToBytes);
    fc.assert(
      fc.property(fc.nat(items.length - 1), fc.nat(10_000), fc.integer({ min: 1, max: 255 }), (which, at, flip) => {
        const changed = items.map((item) => Uint8Array.from(item));
        const bytes = changed[which] ?? expect.fail();
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        expect(verified(changed)).toBeTypeOf('string');
      }),
      { numRuns: amount(20, 60) },
    );
    expect(verified(Array.from({ length: MAX_KEY_ITEMS + 1 }, () => new Uint8Array(1)))).toBe('length');
  });
});

test('each key signs from the entry after its rotation on', () => {
  const succession = verifySuccession(
    ledgerId,
    (vectors.valid.find(({ name }) => name === 'two rotations')?.items ?? []).map(hexToBytes),
  );
  const [first, second, third] = succession.keys.map(({ publicKey }) => publicKey);
  expect([1, 9, 10, 20, 21, 1_000].map((seq) => keyAt(succession, seq))).toEqual([
    first,
    first,
    second,
    second,
    third,
    third,
  ]);
});

test('a message of another form is none', () => {
  for (const message of [
    {},
    { function: 'commitRelayerKey' },
    { function: 'rotateRelayerKey', newKey: randomBytes(32).toString('hex') },
  ])
    expect(readKeyMessage(message)).toBeNull();
});
