import * as noble from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeSignature,
  hasIdentityAsR,
  isKeyHex,
  isStrictPublicKey,
  publicKeyOf,
  signBytes,
  verifySignature,
} from '../../../protocol/signing/ed25519.ts';
import { hexToBytes } from '../../../protocol/signing/encoding.ts';
import {
  encode,
  encodingsOf,
  L,
  multipleOfBase,
  P,
  SMALL_ORDER,
  TORSION,
  UNREDUCED,
} from '../../../protocol/signing/test-ed25519-points.ts';
import { amount } from '../../../protocol/test-amount.ts';
import vectors from '../../../protocol/vectors/ed25519.json' with { type: 'json' };
import { createSigner, isStrictPublicKeyNatively, signatureBytes, verifyNatively } from './ed25519.ts';
import { loadLibsodium } from './libsodium.ts';
import { nodeEd25519, privateKeyObject, publicKeyObject } from './node-ed25519.ts';

const libsodium = loadLibsodium() ?? expect.fail('libsodium does not support this platform');

const letter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed());

interface Signed {
  readonly publicKey: string;
  /** Hex. */
  readonly message: string;
}

/** The result of each verifier for a signature, without checking the key. */
function results({ publicKey, message }: Signed, signature: Uint8Array) {
  const bytes = hexToBytes(message);
  const fits = !hasIdentityAsR(signature) && isKeyHex(publicKey);
  return {
    browser: verifySignature(publicKey, bytes, signature),
    server: verifyNatively(publicKey, bytes, signature),
    libsodium: fits && libsodium.verify(hexToBytes(publicKey), bytes, signature),
    node: fits && nodeEd25519.verify(hexToBytes(publicKey), bytes, signature),
  };
}

const fromAll = (result: boolean) => ({ browser: result, server: result, libsodium: result, node: result });

function isStrictInBoth(publicKey: string): boolean {
  const native = isStrictPublicKeyNatively(publicKey);
  expect(isStrictPublicKey(publicKey)).toBe(native);
  return native;
}

/** Test titles for %s, because Vitest shortens $name. */
const titled = <Case extends { readonly name: string }>(cases: readonly Case[]) =>
  cases.map((vector) => [vector.name, vector] as const);

const RESULTS = ['valid', 'invalid-key', 'invalid-encoding', 'invalid-signature'];

test('the vectors have exactly the results that these tests cover', () => {
  expect([...new Set(vectors.cases.map(({ result }) => result))].sort()).toEqual([...RESULTS].sort());
});

describe('every verifier accepts', () => {
  test.each(titled(vectors.cases.filter(({ result }) => result === 'valid')))('%s', (_, vector) => {
    expect(isStrictInBoth(vector.publicKey)).toBe(true);
    const signature = decodeSignature(vector.signature);
    expect(signature).not.toBeNull();
    expect(results(vector, signature ?? new Uint8Array())).toEqual(fromAll(true));
  });
});

describe('every verifier rejects for the same reason', () => {
  test.each(titled(vectors.cases.filter(({ result }) => result !== 'valid')))('%s', (_, vector) => {
    expect(isStrictInBoth(vector.publicKey)).toBe(vector.result !== 'invalid-key');
    const signature = decodeSignature(vector.signature);
    expect(signature === null).toBe(vector.result === 'invalid-encoding');
    if (signature && vector.result === 'invalid-signature') {
      expect(results(vector, signature)).toEqual(fromAll(false));
    }
    if (!isKeyHex(vector.publicKey)) {
      expect(results(vector, signature ?? new Uint8Array())).toEqual(fromAll(false));
    }
  });

  const lenient = vectors.cases.filter(({ zip215 }) => zip215);
  test.each(titled(lenient))('though a cofactored verifier accepts it: %s', (_, { publicKey, message, signature }) => {
    const bytes = decodeSignature(signature) ?? new Uint8Array();
    expect(noble.verify(bytes, hexToBytes(message), hexToBytes(publicKey), { zip215: true })).toBe(true);
  });

  const undecodable = new Set(SMALL_ORDER.filter(({ canonical }) => !canonical).map(({ hex }) => hex));
  const weak = lenient.filter(({ result, publicKey }) => result === 'invalid-key' && !undecodable.has(publicKey));
  test.each(titled(weak))('though the equation holds without the key check: %s', (_, vector) => {
    const signature = decodeSignature(vector.signature) ?? new Uint8Array();
    expect(results(vector, signature).browser).toBe(true);
  });
});

describe('the verifiers', () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const messages = fc.uint8Array({ maxLength: 300 });

  test('create and accept the same signatures', () => {
    fc.assert(
      fc.property(seeds, messages, (seed, message) => {
        const signature = nodeEd25519.signer(seed)(message);
        expect(libsodium.signer(seed)(message)).toEqual(signature);
        expect(createSigner(privateKeyObject(seed)).sign(message)).toEqual(signature);
        expect(Buffer.from(signBytes(seed, message))).toEqual(signature);
        const signed = { publicKey: publicKeyOf(seed), message: Buffer.from(message).toString('hex') };
        expect(results(signed, signature)).toEqual(fromAll(true));
      }),
      { numRuns: amount(20, 60) },
    );
  });

  test('agree on random combinations of valid and invalid parts', () => {
    const points = fc.oneof(
      fc.constantFrom(...SMALL_ORDER.map(({ hex }) => hex), ...UNREDUCED),
      fc.bigInt(0n, L - 1n).map((scalar) => multipleOfBase(scalar).toHex()),
      seeds.map((bytes) => Buffer.from(bytes).toString('hex')),
    );
    const numbers = fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, L), fc.constantFrom(0n, 1n, L - 1n, L));
    fc.assert(
      fc.property(fc.bigInt(1n, L - 1n), points, numbers, messages, (a, R, S, message) => {
        const signed = { publicKey: multipleOfBase(a).toHex(), message: Buffer.from(message).toString('hex') };
        const actual = results(signed, hexToBytes(R + encode(S)));
        expect(actual).toEqual(fromAll(actual.browser));
      }),
      { numRuns: amount(30, 150) },
    );
  });

  test('reject signatures of wrong length and malformed keys without throwing', () => {
    const seed = new Uint8Array(32).fill(3);
    const signature = signBytes(seed, new Uint8Array());
    const key = publicKeyOf(seed);
    for (const length of [0, 1, 32, 63]) {
      expect(results({ publicKey: key, message: '' }, signature.subarray(0, length))).toEqual(fromAll(false));
    }
    expect(results({ publicKey: key, message: '' }, new Uint8Array([...signature, 0]))).toEqual(fromAll(false));
    for (const publicKey of ['', 'zz', `${key}00`, key.slice(2), `${key}g`]) {
      expect(results({ publicKey, message: '' }, signature)).toEqual(fromAll(false));
    }
  });

  test('use the same key encoding', () => {
    const key = publicKeyOf(new Uint8Array(32).fill(4));
    const { x } = publicKeyObject(hexToBytes(key)).export({ format: 'jwk' });
    expect(Buffer.from(x ?? '', 'base64url').toString('hex')).toBe(key);
  });
});

test('the two signature decoders agree on every vector', () => {
  for (const { signature } of vectors.cases) {
    for (const text of [signature, ` ${signature}`, signature.replace(/=+$/, ''), signature.replaceAll('+', '-')]) {
      expect(Buffer.from(signatureBytes(text) ?? [])).toEqual(Buffer.from(decodeSignature(text) ?? []));
    }
  }
});

describe('the two key checks', () => {
  const agree = (hex: string): void => {
    isStrictInBoth(hex);
  };

  test('agree on thousands of random 32-byte keys', () => {
    let strict = 0;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        strict += isStrictInBoth(Buffer.from(bytes).toString('hex')) ? 1 : 0;
      }),
      { numRuns: amount(400, 2_000) },
    );
    expect(strict).toBeGreaterThan(0);
  });

  test('agree on keys next to a bound', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0n, P, P - 1n, (P - 1n) / 2n, 2n ** 254n, 2n ** 255n - 1n),
        fc.bigInt(-40n, 40n),
        fc.boolean(),
        (bound, offset, sign) => {
          const y = (bound + offset + 2n ** 255n) % 2n ** 255n;
          agree(encode(sign ? y + 2n ** 255n : y));
        },
      ),
      { numRuns: amount(80, 400) },
    );
  });

  test('reject every encoding of a point of small order and every y ≥ p', () => {
    for (const hex of [...SMALL_ORDER.map(({ hex }) => hex), ...UNREDUCED]) expect(isStrictInBoth(hex)).toBe(false);
  });

  test('accept points of prime order and their negatives in upper- and lower-case hex, and reject their sums with small-order points', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, L - 1n), (scalar) => {
        const point = multipleOfBase(scalar);
        const [pure, ...mixed] = TORSION.map((torsion) => isStrictInBoth(point.add(torsion).toHex()));
        expect([pure, mixed.includes(true)]).toEqual([true, false]);
        expect(encodingsOf(point.y).map(({ hex }) => isStrictInBoth(hex))).toEqual([true, true]);
        expect(isStrictInBoth(point.toHex().toUpperCase())).toBe(true);
      }),
      { numRuns: amount(20, 80) },
    );
  });

  test('agree on any text', () => {
    const key = publicKeyOf(new Uint8Array(32).fill(5));
    const nearly = fc.tuple(fc.nat(64), fc.string({ unit: letter, maxLength: 3 }), fc.nat(3));
    fc.assert(fc.property(fc.string({ unit: letter, maxLength: 70 }), agree), { numRuns: amount(100, 500) });
    fc.assert(
      fc.property(nearly, ([at, text, removed]) => agree(key.slice(0, at) + text + key.slice(at + removed))),
      { numRuns: amount(100, 500) },
    );
  });
});
