import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../test-amount.ts';
import vectors from '../vectors/jcs.json' with { type: 'json' };
import { canonicalJson, type Json } from './canonical-json.ts';
import { bytesToHex, hexToBytes, utf8ToBytes } from './encoding.ts';

const letter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const canonicalOf = (text: string): string => canonicalJson(JSON.parse(text) as Json);
const anyText = fc.string({ unit: letter });
const anyJson = fc.jsonValue({ stringUnit: letter, maxDepth: 4 }).map((value) => value as Json);

function doubleOf(bigEndianHex: string): number {
  return new DataView(hexToBytes(bigEndianHex).buffer).getFloat64(0);
}

function membersReversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(membersReversed);
  if (typeof value !== 'object' || value === null) return value;
  const reversed = Object.entries(value).map(([name, member]) => [name, membersReversed(member)] as const);
  return Object.fromEntries(reversed.reverse());
}

const unitsOf = (text: string): number[] => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

function byCodeUnits(left: string, right: string): number {
  const [a, b] = [unitsOf(left), unitsOf(right)];
  const differs = a.findIndex((unit, at) => unit !== b[at]);
  return differs < 0 ? a.length - b.length : (a[differs] ?? -1) - (b[differs] ?? -1);
}

describe('the vectors of RFC 8785', () => {
  test.each(vectors.documents.map((document) => [document.name, document] as const))(
    '%s',
    (_, { input, canonical, utf8 }) => {
      expect(canonicalOf(input)).toBe(canonical);
      expect(canonicalOf(canonical)).toBe(canonical);
      if (utf8 !== undefined) expect(bytesToHex(utf8ToBytes(canonicalOf(input)))).toBe(utf8);
    },
  );

  test.each(vectors.numbers)('appendix B: the double $bits is written as $json', ({ bits, json }) => {
    if (json === null) expect(() => canonicalJson(doubleOf(bits))).toThrow(TypeError);
    else expect(canonicalJson(doubleOf(bits))).toBe(json);
  });
});

describe('for any value', () => {
  test('the canonical form has the same content, and is its own canonical form', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const canonical = canonicalJson(value);
        expect(JSON.parse(canonical)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalOf(canonical)).toBe(canonical);
      }),
      { numRuns: amount(100, 500) },
    );
  });

  test('the order of its members does not matter', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(membersReversed(value))).toBe(canonicalJson(value));
      }),
      { numRuns: amount(100, 500) },
    );
  });

  test('names are sorted by UTF-16 code units', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { maxLength: 8 }), (names) => {
        const value = Object.fromEntries(names.map((name) => [name, 0]));
        const members = [...names].sort(byCodeUnits).map((name) => `${JSON.stringify(name)}:0`);
        expect(canonicalJson(value)).toBe(`{${members.join(',')}}`);
      }),
      { numRuns: amount(100, 500) },
    );
  });

  test('every double is preserved, and has one form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Number(canonicalJson(number))).toBe(number === 0 ? 0 : number);
        expect(canonicalOf(number.toExponential())).toBe(canonicalJson(number));
      }),
    );
  });
});

describe('two JSON texts', () => {
  test('have the same canonical form if they differ in escapes, white space or the notation of numbers', () => {
    expect(canonicalOf(String.raw` { "\u0061" : [ 1.0 , 1e2 , -0 ] } `)).toBe('{"a":[1,100,0]}');
  });

  test('with duplicate members: the last one is used', () => {
    expect(canonicalOf('{"a":1,"b":2,"a":3}')).toBe('{"a":3,"b":2}');
  });

  test('with a member __proto__: it is a member like any other', () => {
    expect(canonicalOf('{"b":1,"__proto__":{"a":2}}')).toBe('{"__proto__":{"a":2},"b":1}');
  });

  test('differ if one has a composed and the other a decomposed letter', () => {
    expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'));
  });
});

describe('a value without canonical JSON is rejected', () => {
  const emptySlot: Json[] = [1];
  emptySlot[2] = 3;
  test.each([
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['minus infinity', { deep: [Number.NEGATIVE_INFINITY] }],
    ['a number that was too large to read', JSON.parse('[1e400]')],
    ['half a surrogate pair at the front', '\ud83d'],
    ['half a surrogate pair at the back', 'a\ude00'],
    ['a pair the wrong way round', '\ude00\ud83d'],
    ['half a pair in a name', { '\ud800': 1 }],
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['an undefined element', [undefined]],
    ['an empty slot', emptySlot],
    ['a function', { a: () => 1 }],
    ['a symbol', Symbol('a')],
    ['a bigint', 1n],
  ])('%s', (_, value) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError);
  });
});
