import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../test-amount.ts';
import vectors from '../vectors/ed25519.json' with { type: 'json' };
import { decodeSignature, isKeyHex, isStrictPublicKey, publicKeyOf, signBytes, verifySignature } from './ed25519.ts';
import { bytesToHex, hexToBytes, toBase64, utf8ToBytes } from './encoding.ts';
import { encode, L, multipleOfBase, P, SMALL_ORDER, TORSION, UNREDUCED } from './test-ed25519-points.ts';

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const messages = fc.uint8Array({ maxLength: 200 });

describe('the vectors with a secret key', () => {
  const signed = vectors.cases.flatMap(({ secretKey, ...rest }) => (secretKey ? [{ secretKey, ...rest }] : []));

  test('are the five of RFC 8032 §7.1', () => {
    expect(signed.filter(({ name }) => name.startsWith('RFC 8032 section 7.1'))).toHaveLength(5);
    expect(signed).toHaveLength(5);
  });

  test.each(signed.map((vector) => [vector.name, vector] as const))(
    'are signed and verified: %s',
    (_, { secretKey, publicKey, message, signature }) => {
      expect(publicKeyOf(hexToBytes(secretKey))).toBe(publicKey);
      expect(toBase64(signBytes(hexToBytes(secretKey), hexToBytes(message)))).toBe(signature);
      const bytes = decodeSignature(signature) ?? new Uint8Array();
      expect(verifySignature(publicKey, hexToBytes(message), bytes)).toBe(true);
      expect(isStrictPublicKey(publicKey)).toBe(true);
    },
  );
});

describe('signing and verifying', () => {
  test('accept a key in upper- or lower-case hex, and reject a signature after a change of one bit', () => {
    fc.assert(
      fc.property(seeds, messages, fc.nat(511), (seed, message, bit) => {
        const key = publicKeyOf(seed);
        const signature = signBytes(seed, message);
        expect(verifySignature(key, message, signature)).toBe(true);
        expect(verifySignature(key.toUpperCase(), message, signature)).toBe(true);
        const changed = signature.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(verifySignature(key, message, changed)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('leave their arguments unchanged', () => {
    const seed = new Uint8Array(32).fill(7);
    const message = utf8ToBytes('message');
    const signature = signBytes(seed, message);
    const before = bytesToHex(signature);
    verifySignature(publicKeyOf(seed), message, signature);
    expect([bytesToHex(seed), bytesToHex(message), bytesToHex(signature)]).toEqual([
      '07'.repeat(32),
      bytesToHex(utf8ToBytes('message')),
      before,
    ]);
  });

  test('reject a signature that is not 64 bytes and a malformed key, without throwing', () => {
    const seed = new Uint8Array(32).fill(7);
    const signature = signBytes(seed, new Uint8Array());
    for (const length of [0, 1, 32, 63]) {
      expect(verifySignature(publicKeyOf(seed), new Uint8Array(), signature.subarray(0, length))).toBe(false);
    }
    for (const key of ['', 'zz', publicKeyOf(seed).slice(1), `${publicKeyOf(seed)}00`, encode(2n)]) {
      expect(verifySignature(key, new Uint8Array(), signature)).toBe(false);
    }
  });
});

describe('a signature in base64', () => {
  test('is decoded to the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        const text = toBase64(bytes);
        expect(text).toHaveLength(88);
        expect(decodeSignature(text)).toEqual(bytes);
      }),
    );
  });

  test('has only one form: every text that can be decoded is the encoding of the result', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 84, maxLength: 92, unit: fc.constantFrom(...'ABab01+/=-_ \n') }), (text) => {
        const bytes = decodeSignature(text);
        if (bytes) expect(toBase64(bytes)).toBe(text);
      }),
      { numRuns: amount(400, 2_000) },
    );
  });
});

describe('a strict public key', () => {
  test('is 64 hex characters', () => {
    const key = publicKeyOf(new Uint8Array(32));
    expect(isKeyHex(key)).toBe(true);
    expect(isKeyHex(key.toUpperCase())).toBe(true);
    for (const text of [
      '',
      key.slice(1),
      `${key}0`,
      `${key}\n`,
      ` ${key.slice(1)}`,
      `0x${key.slice(2)}`,
      `g${key.slice(1)}`,
    ]) {
      expect(isKeyHex(text)).toBe(false);
      expect(isStrictPublicKey(text)).toBe(false);
    }
  });

  test('results from every seed', () => {
    fc.assert(
      fc.property(seeds, (seed) => isStrictPublicKey(publicKeyOf(seed))),
      { numRuns: 30 },
    );
  });

  test.each(SMALL_ORDER)('is not a point of small order: $hex', ({ hex }) => {
    expect(isStrictPublicKey(hex)).toBe(false);
  });

  test('has y below p', () => {
    expect(UNREDUCED).toHaveLength(24);
    expect(UNREDUCED.filter(isStrictPublicKey)).toEqual([]);
  });

  test('has no component of small order', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, L - 1n), (scalar) => {
        const point = multipleOfBase(scalar);
        expect(TORSION.map((torsion) => isStrictPublicKey(point.add(torsion).toHex()))).toEqual([
          true,
          ...Array(7).fill(false),
        ]);
      }),
      { numRuns: 20 },
    );
  });

  test('is not a y next to 0, p or 2^255', () => {
    for (const y of [0n, 1n, P - 1n, P, P + 1n, 2n ** 255n - 1n]) {
      expect(isStrictPublicKey(encode(y))).toBe(false);
      expect(isStrictPublicKey(encode(y + 2n ** 255n))).toBe(false);
    }
  });
});
