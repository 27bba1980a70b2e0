import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { verifySignature } from '../protocol/signing/ed25519.ts';
import { fromBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { generateKey } from './keys.ts';
import { signRequest } from './sign.ts';
import { strictJson } from './strict-json.ts';

const changing = {
  get value() {
    return Math.random();
  },
};
const circular: Record<string, unknown> = {};
circular.itself = circular;

describe('before anything is signed', () => {
  test.each<[what: string, value: unknown, path: string]>([
    ['NaN', { value: Number.NaN }, 'value'],
    ['an infinite number', { list: [1, Number.POSITIVE_INFINITY] }, 'list.1'],
    ['-0', { value: -0 }, 'value'],
    ['an integer beyond 2^53', { value: 2 ** 53 }, 'value'],
    ['a large number without a fraction', { value: 1e300 }, 'value'],
    ['a lone surrogate', { name: '\ud800' }, 'name'],
    ['a lone surrogate in a name', { '\udc00': 1 }, '\udc00'],
    ['undefined in a list', { list: [1, undefined] }, 'list.1'],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    ['a hole in a list', { list: [1, , 2] }, 'list.1'],
    ['a Date', { at: new Date() }, 'at'],
    ['a Map', { map: new Map() }, 'map'],
    ['bytes', { bytes: new Uint8Array(2) }, 'bytes'],
    ['a bigint', { value: 1n }, 'value'],
    ['a function', { toJSON: () => 'other' }, 'toJSON'],
    ['a symbol as a name', { inner: { [Symbol('name')]: 1 } }, 'inner'],
    ['a member __proto__', JSON.parse('{"inner":{"__proto__":{"admin":true}}}'), 'inner.__proto__'],
    ['names that are equal once normalized', { inner: { é: 1, 'e\u0301': 2 } }, 'inner.e\u0301'],
    ['a value that changes between two reads', { changing }, 'changing.value'],
    ['a value that contains itself', circular, expect.stringContaining('itself') as unknown as string],
  ])('%s is refused with its path', (_, value, path) => {
    const refused = (() => {
      try {
        return strictJson(value);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ name: 'PerpetuaError', code: 'CANNOT_SIGN', details: { path } });
  });

  test('all other JSON has the canonical form of the protocol, and reads back as it was', () => {
    const isExact = (value: unknown): boolean => {
      if (typeof value === 'number')
        return !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
    };
    fc.assert(
      fc.property(fc.jsonValue().filter(isExact), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        expect(strictJson(value)).toBe(canonicalJson(value as Json));
        expect(JSON.parse(strictJson(value))).toEqual(value);
      }),
    );
  });

  test('members that are undefined are left out, in what is signed and in what is sent', () => {
    expect(strictJson({ a: undefined, b: [{ c: undefined }] })).toBe('{"b":[{}]}');
  });
});

test('exactly what is signed is sent, even if the caller changes it while an external signer waits', async () => {
  const key = generateKey();
  const fields = { beoId: 'a.bsp', recovery: { guardians: [{ name: 'Ana' }] } };
  const signer = {
    publicKey: key.publicKey,
    async sign(message: Uint8Array) {
      fields.beoId = 'b.bsp';
      fields.recovery.guardians.push({ name: 'Eve' });
      return key.sign(message);
    },
  };
  const envelope = { key: signer, ledgerId: 'ab', now: 0, nonce: 'n'.repeat(16), unsigned: ['reason'] };
  const { body, message } = await signRequest('updateRecovery', { ...fields, reason: 'why' }, envelope);
  const { signature, reason, ...signed } = body as Record<string, Json>;
  expect(reason).toBe('why');
  expect(canonicalJson({ function: 'updateRecovery', ...signed })).toBe(message);
  expect(signed).toEqual({
    beoId: 'a.bsp',
    recovery: { guardians: [{ name: 'Ana' }] },
    ledgerId: 'ab',
    nonce: 'n'.repeat(16),
    timestamp: '1970-01-01T00:00:00.000Z',
  });
  const bytes = fromBase64(String(signature)) as Uint8Array;
  expect(verifySignature(key.publicKey, utf8ToBytes(message), bytes)).toBe(true);
});
