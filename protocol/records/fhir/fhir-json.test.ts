import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf, fhirJson, parseFhirJson } from './fhir-json.ts';

describe('a decimal of FHIR', () => {
  test.each(['0', '1.50', '-0.0010', '1e3', '1.0E-7', '100', '123456789012345678'])(
    'is written without changes: %s',
    (text) => {
      expect(fhirJson({ value: decimalOf(text) ?? '' })).toBe(`{"value":${text}}`);
    },
  );

  test.each([
    '',
    '+1',
    '01',
    '.5',
    '1.',
    '1,5',
    '1e',
    'NaN',
    'Infinity',
    '0x10',
    '1e999',
    ' 1',
    '1 ',
    '1\n',
    '1234567890123456789',
    '１',
  ])('is not %j', (text) => {
    expect(decimalOf(text)).toBeNull();
  });
});

describe('JSON of a resource', () => {
  test.each(['{"value":4.1,"value":7.9}', '{"a":[{"b":1,"c":2,"b":1}]}'])(
    'with a duplicate member is rejected: %s',
    (text) => {
      expect(() => parseFhirJson(text)).toThrow(SyntaxError);
    },
  );

  test('with a long string that does not end is rejected at once', { timeout: 10_000 }, async () => {
    expect(() => parseFhirJson(`"${String.raw`\"`.repeat(150_000)}`)).toThrow(SyntaxError);
    // Lets the time limit apply: quadratic time takes half a minute, linear time milliseconds.
    await setTimeout(0);
  });

  test('with the same member in two objects is read', () => {
    expect(parseFhirJson('{"a":{"b":"b:"},"b":[{"b":1.50},{"b" : 2}]}')).toEqual({
      a: { b: 'b:' },
      b: [{ b: '\u00001.50' }, { b: 2 }],
    });
  });

  test('omits undefined members and writes numeric strings as strings', () => {
    expect(fhirJson({ a: undefined, b: ['1.50', decimalOf('1.50') ?? ''], c: { d: '\\u00001.5' } })).toBe(
      String.raw`{"b":["1.50",1.50],"c":{"d":"\\u00001.5"}}`,
    );
  });

  test('equals JSON.stringify for objects without decimals', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
        ),
        (value) => {
          fc.pre(!JSON.stringify(value).includes('\\u0000'));
          expect(fhirJson(value)).toBe(JSON.stringify(value));
        },
      ),
    );
  });
});
