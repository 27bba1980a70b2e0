import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inexactNumbers, isExactNumber } from './exact-numbers.ts';

describe('a JSON number', () => {
  test.each([
    ...['0', '-0', '0.0', '0e9', '1', '-1', '1.50', '1e2', '1E+2', '100.0', '0.1', '5e-324', '1.7976931348623157e308'],
    ...['9007199254740991', '9007199254740992', '1e22', '1000000000000000000000', '0.30000000000000004', '1e-7'],
    ...['123456789012345.0000000000000000', '0.000000000000000000000000000001', `0e${'9'.repeat(400)}`],
  ])('keeps its value: %s', (text) => expect(isExactNumber(text)).toBe(true));

  test.each([
    ...['1e-400', '-1e-400', '1e400', '4.9e-324', '9007199254740993', '-9007199254740993', '1e23000'],
    ...['0.1234567890123456789', '0.10000000000000001', '123456789012345678', '1.00000000000000001', '2e-324'],
    ...[`1e-${'9'.repeat(400)}`, `1e${'9'.repeat(400)}`],
  ])('is rounded: %s', (text) => expect(isExactNumber(text)).toBe(false));

  test('that a double was written as is always exact, also with other digits of the same value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(isExactNumber(JSON.stringify(number))).toBe(true);
        const [digits = '', exponent = '0'] = number.toExponential().split('e');
        expect(isExactNumber(`${digits}${digits.includes('.') ? '' : '.'}000E${exponent}`)).toBe(true);
      }),
    );
  });

  test('is exact if and only if the double is written with the same value', () => {
    const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 25 }));
    fc.assert(
      fc.property(scaled, ([integer, zeros]) => {
        const text = `${integer}${'0'.repeat(zeros)}`;
        expect([text, isExactNumber(text)]).toEqual([text, BigInt(text) === shortestOf(Number(text))]);
      }),
    );
  });
});

/** The integer that the shortest decimal of a double stands for. */
function shortestOf(number: number): bigint {
  const [digits = '', exponent = '0'] = number.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

describe('the numbers of a text that are rounded', () => {
  test.each<[text: string, paths: (string | number)[][]]>([
    ['1e400', [[]]],
    ['[1, 1e-400 ,{"a":9007199254740993}]', [[1], [2, 'a']]],
    [
      '{"records":[{"value":1.5},{"value" :\n -1e-400,"ref_range":{"optimal_low":1e999}}]}',
      [
        ['records', 1, 'value'],
        ['records', 1, 'ref_range', 'optimal_low'],
      ],
    ],
    ['{"a\\"b":{"\\u0063":[[],[0,1e400]]}}', [['a"b', 'c', 1, 1]]],
    ['{"text":"1e400","list":["9007199254740993,1e400"],":1e400":1,"a":"b\\\\","c":1e400}', [['c']]],
    ['{"a":1e400,"a":1}', [['a']]],
  ])('have paths: %s', (text, paths) => expect(inexactNumbers(text, 10)).toEqual(paths));

  test('are as many as asked for', () => {
    expect(inexactNumbers(`[${'1e400,'.repeat(1_000)}1]`, 3)).toEqual([[0], [1], [2]]);
  });

  test('are found wherever they are in a JSON value, and nothing else is', () => {
    const inexact = fc.constantFrom('1e-400', '9007199254740993', '0.1234567890123456789', '1e400');
    fc.assert(
      fc.property(fc.jsonValue(), inexact, (value, number) => {
        expect(inexactNumbers(JSON.stringify(value, null, 1), 100)).toEqual([]);
        const around = JSON.stringify({ before: value, at: ['@'], after: value });
        const text = around.replace('["@"]', `[${number}]`);
        fc.pre(around.split('["@"]').length === 2);
        expect(inexactNumbers(text, 100)).toEqual([['at', 0]]);
      }),
    );
  });

  test('take a time that grows with the text only, whatever its form', () => {
    const half = 500_000;
    for (const text of [
      `[1${'0'.repeat(half)}1]`,
      `[0.${'0'.repeat(half)}1e${half}]`,
      `[1e-${'0'.repeat(half)}1]`,
      `["${'\\\\'.repeat(half / 2)}",1e400]`,
      `[${' '.repeat(half)}"${': '.repeat(half / 2)}"]`,
      `[${'0,'.repeat(half / 2)}0.1e1]`,
    ]) {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(inexactNumbers(text, 10).length).toBeLessThanOrEqual(1);
    }
  });
});
