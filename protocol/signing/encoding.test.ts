import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../test-amount.ts';
import { bytesToHex, concatBytes, fromBase64, fromBase64Url, hexToBytes, toBase64, toBase64Url } from './encoding.ts';

const bytes = fc.uint8Array({ maxLength: 80 });

describe('RFC 4648 §10', () => {
  test.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('%j is encoded as %j', (text, base64) => {
    const raw = new TextEncoder().encode(text);
    expect(toBase64(raw)).toBe(base64);
    expect(fromBase64(base64)).toEqual(raw);
    expect(toBase64Url(raw)).toBe(base64.replace(/=/g, ''));
    expect(fromBase64Url(base64.replace(/=/g, ''))).toEqual(raw);
  });
});

describe('both alphabets', () => {
  test('encode as Node does, and decode the result', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        expect(toBase64(raw)).toBe(Buffer.from(raw).toString('base64'));
        expect(toBase64Url(raw)).toBe(Buffer.from(raw).toString('base64url'));
        expect(fromBase64(toBase64(raw))).toEqual(raw);
        expect(fromBase64Url(toBase64Url(raw))).toEqual(raw);
      }),
    );
  });

  test('decode only texts that they would encode', () => {
    const unit = fc.constantFrom(...'AQgwZ09+/-_= \n\té');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const standard = fromBase64(text);
        const url = fromBase64Url(text);
        if (standard) expect(toBase64(standard)).toBe(text);
        if (url) expect(toBase64Url(url)).toBe(text);
      }),
      { numRuns: amount(1_000, 5_000) },
    );
  });

  test.each([
    'Zg',
    'Zg=',
    'Zh==',
    'Zm9=',
    '=',
    '====',
    'Z===',
    'Zg==Zg==',
    'Zm9v\n',
    ' Zm9v',
    'Zm-_',
    'Zm 9v',
    'Zm9vé===',
  ])('standard base64 is not %j', (text) => {
    expect(fromBase64(text)).toBeNull();
  });

  test.each(['Z', 'Zg==', 'Zh', 'Zm9', 'Zm9v=', 'Zm+/', 'Zm9v\n', 'Zm9vZ'])('base64url is not %j', (text) => {
    expect(fromBase64Url(text)).toBeNull();
  });
});

describe('hex', () => {
  test('is encoded as Node does, in lower case, and decoded in either case', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        expect(bytesToHex(raw)).toBe(Buffer.from(raw).toString('hex'));
        expect(hexToBytes(bytesToHex(raw))).toEqual(raw);
        expect(hexToBytes(bytesToHex(raw).toUpperCase())).toEqual(raw);
      }),
    );
  });

  test.each(['0', 'abc', '0g', 'zz', ' 00 ', '0x00', '00\n', '-1', 'é1'])('is not %j', (text) => {
    expect(() => hexToBytes(text)).toThrow(RangeError);
  });
});

test('parts are concatenated in order', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 4 }), (parts) => {
      expect(concatBytes(...parts)).toEqual(Uint8Array.from(parts.flatMap((part) => [...part])));
    }),
  );
});
