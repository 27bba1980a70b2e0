import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meaningOf, numberIn, parseValue, readNumber } from './value.ts';

describe('a number in a text', () => {
  test.each([
    ['92', '92'],
    ['98,5', '98.5'],
    ['98.50', '98.50'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1.250.000', '1250000'],
    ['1 250', '1250'],
    ['1\u202f250,5', '1250.5'],
    ["12'500", '12500'],
    ['0.250', '0.250'],
    ['0,250', '0.250'],
    ['+1,5', '1.5'],
    ['-14', '-14'],
    ['\u2212 14'.replace(' ', ''), '-14'],
    ['.5', '0.5'],
    [' 7 ', '7'],
    ['1250', '1250'],
    ['1e-7', '1e-7'],
  ])('%j is %s, whatever the decimal mark', (text, digits) => {
    for (const mark of [null, '.', ','] as const) expect(readNumber(text, mark)).toEqual({ digits });
  });

  test.each([
    ['1.250', '1.250', '1250'],
    ['7.200', '7.200', '7200'],
    ['150.000', '150.000', '150000'],
    ['1,250', '1250', '1.250'],
  ])('%s is %s or %s, by the decimal mark', (text, withPoint, withComma) => {
    expect(readNumber(text, null)).toEqual({ kind: 'uncertain', withPoint, withComma });
    expect([readNumber(text, '.'), readNumber(text, ',')]).toEqual([{ digits: withPoint }, { digits: withComma }]);
  });

  test.each([
    '',
    'abc',
    '1.2.3',
    '12.34.567',
    '1,23,456',
    '007',
    '5.',
    '1.25E+05',
    '1,25e3',
    '４２',
    '9\u200b2',
    '#N/A',
    '=1',
    '- 5',
    '1..2',
  ])('%j is none', (text) => {
    expect(readNumber(text, null)).toBeNull();
  });
});

describe('a text means', () => {
  const kind = (text: string) => parseValue(text, null).kind;

  test.each([
    ['<0,5', { kind: 'limit', comparator: '<', number: 0.5, digits: '0.5' }],
    ['≥ 60', { kind: 'limit', comparator: '>=', number: 60, digits: '60' }],
    ['=< 3', { kind: 'limit', comparator: '<=', number: 3, digits: '3' }],
    ['1:80', { kind: 'ratio', numerator: 1, denominator: 80 }],
    ['5-10', { kind: 'range', low: 5, high: 10 }],
    ['0,5 – 1,5', { kind: 'range', low: 0.5, high: 1.5 }],
    ['++', { kind: 'ordinal', text: '++' }],
    ['Não Reagente', { kind: 'ordinal', text: 'Não Reagente' }],
  ])('%j: %j', (text, expected) => {
    expect(parseValue(text, null)).toEqual(expected);
  });

  test('nothing but text where it is neither', () => {
    for (const text of [
      'ε3/ε4',
      '92 H',
      '-',
      'haemolysed',
      '< low',
      '=cmd|x',
      '2026-11-20',
      '≮ 5',
      '≯5',
      '<\u0338 5',
      '≠ 5',
    ])
      expect([text, kind(text)]).toEqual([text, 'text']);
  });

  test('an uncertain number, also after a comparator and in a range', () => {
    expect(['1.250', '<1.250', '200-1.100'].map(kind)).toEqual(['uncertain', 'uncertain', 'uncertain']);
    expect(parseValue('200-1.100', ',')).toEqual({ kind: 'range', low: 200, high: 1100 });
  });

  test('text at once where it is long and looks like a range or a limit', { timeout: 10_000 }, async () => {
    for (const text of [`${'-'.repeat(300_000)} x`, `<${' '.repeat(300_000)}x\ny`]) expect(kind(text)).toBe('text');
    // Lets the time limit apply: quadratic time takes half a minute, linear time milliseconds.
    await setTimeout(0);
  });

  test('never anything that throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => ['.', ',', null].every((mark) => parseValue(text, mark as '.') !== null)),
    );
  });
});

describe('the value of a record', () => {
  test('as text is a JSON decimal, which keeps its zeros', () => {
    expect(meaningOf('1.250')).toEqual({ kind: 'number', number: 1.25, digits: '1.250' });
    expect(meaningOf('<1.250')).toEqual({ kind: 'limit', comparator: '<', number: 1.25, digits: '1.250' });
    expect(meaningOf('1,250').kind).toBe('uncertain');
    expect(meaningOf({ systolic: 132 })).toEqual({ kind: 'structured', members: { systolic: 132 } });
  });

  test('is drawn if it is certainly a number', () => {
    expect([87.5, '1.50', '-3', '0', '2e3', '1,5'].map(numberIn)).toEqual([87.5, 1.5, -3, 0, 2000, 1.5]);
    for (const value of ['<5', '1,500', '', '007', 'ε3/ε4', '1e999', null, true, { a: 1 }, [1]])
      expect(numberIn(value)).toBeNull();
  });

  test('keeps every number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberIn(JSON.stringify(number))).toBe(JSON.parse(JSON.stringify(number)));
      }),
    );
  });
});
