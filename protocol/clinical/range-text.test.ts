import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numbersInRange, parseRangeText } from './range-text.ts';

const read = (text: string) => {
  const range = parseRangeText(text, null);
  return range === null || 'kind' in range ? range : [range.low, range.high, range.unit];
};

describe('a printed range', () => {
  test.each([
    ['70 a 99', [70, 99, null]],
    ['70-99', [70, 99, null]],
    ['70 – 99 mg/dL', [70, 99, 'mg/dL']],
    ['(70 - 99)', [70, 99, null]],
    ['3,5 a 5,1 mEq/L', [3.5, 5.1, 'mEq/L']],
    ['De 0,5 até 1,2', [0.5, 1.2, null]],
    ['70 to 99', [70, 99, null]],
    ['70 bis 99', [70, 99, null]],
    ['desde 70 hasta 99', [70, 99, null]],
    ['Entre 70 e 99', [70, 99, null]],
    ['entre 70 y 99', [70, 99, null]],
    ['zwischen 70 und 99', [70, 99, null]],
    ['70..99', [70, 99, null]],
    ['-2,5 a 2,5', [-2.5, 2.5, null]],
    ['150 000 a 450 000/mm³', [150_000, 450_000, '/mm³']],
    ['4,0 a 10,0 10³/µL', [4, 10, '10³/µL']],
    ['20 a 50 %', [20, 50, '%']],
    ['< 200', [null, 200, null]],
    ['> 40', [40, null, null]],
    ['Até 200', [null, 200, null]],
    ['hasta 5,0', [null, 5, null]],
    ['bis 5,0 mg/L', [null, 5, 'mg/L']],
    ['Inferior a 100 mg/dL', [null, 100, 'mg/dL']],
    ['Maior que 40', [40, null, null]],
    ['mayor o igual a 60', [60, null, null]],
    ['≥60', [60, null, null]],
    ['up to 5', [null, 5, null]],
    ['über 40', [40, null, null]],
    ['0 a 10 000', [0, 10_000, null]],
    ['900 a 10 000', [900, 10_000, null]],
    ['150 a 400000', [150, 400_000, null]],
  ] as const)('%j is %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    '',
    '70',
    '99 a 70',
    '70 99',
    '70 ou 99',
    '70 e 99',
    'Negativo',
    'Não reagente',
    'Homens: 13,5 a 17,5',
    '70 a 99 (jejum)',
    '70 a 99 xyz',
    'H: 13 a 17 / M: 12 a 15',
    '5 ± 2',
    '1.2.3 a 4',
    '< 70 a 99',
    '70 - 99 - 120',
    '12/11/2026',
    '1:80',
    '<',
    'Fase folicular 3 a 10',
    '150 - 400 000/mm³',
    '150 a 400.000.000/mm³',
    "3,5 a 11'000",
    '≯ 200',
    '≮ 200',
    '≰ 200',
    '≱ 200',
    '≠ 200',
    '<\u0337 200',
    '70 a 9\u03369',
  ])('%j is none for certain', (text) => {
    expect(read(text)).toBeNull();
  });

  test('has two readings where one of its numbers has', () => {
    expect(read('200 a 1.100')).toEqual({ kind: 'uncertain', withPoint: '1.100', withComma: '1100' });
    expect(parseRangeText('200 a 1.100', ',')).toMatchObject({ low: 200, high: 1100 });
    expect(numbersInRange('200 a 1.100 pg/mL')).toEqual(['200', '1.100']);
  });

  test('is none where the thousands of its upper number may be meant for both', () => {
    expect(parseRangeText('150 a 400.000/mm³', ',')).toBeNull();
    expect(parseRangeText('150 - 400,000', '.')).toBeNull();
    expect(parseRangeText('150 a 400.000', '.')).toMatchObject({ low: 150, high: 400 });
    expect(parseRangeText('150.000 a 400.000', ',')).toMatchObject({ low: 150_000, high: 400_000 });
  });

  test('may not include its bound', () => {
    const isBeyond = (text: string) => {
      const range = parseRangeText(text, null);
      return range !== null && 'isBeyond' in range && range.isBeyond;
    };
    expect(['< 200', 'menor que 200', '> 40'].map(isBeyond)).toEqual([true, true, true]);
    expect(['até 200', '<= 200', '70-99', 'a partir de 40'].map(isBeyond)).toEqual([false, false, false, false]);
  });

  test('may be in the unit of the value, known or not', () => {
    expect(read('0,4 a 4,0 mU/L')).toBeNull();
    expect(parseRangeText('0,4 a 4,0 mU/L', null, 'mU/L')).toMatchObject({ low: 0.4, high: 4, unit: 'mU/L' });
  });

  test('is never anything that throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseRangeText(text, null) !== undefined));
    fc.assert(
      fc.property(fc.stringMatching(/^[<>≤a-z0-9., -]{0,30}$/), (text) => parseRangeText(text, ',') !== undefined),
    );
  });

  test('reads the numbers that were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 1, max: 999 }), (low, more) => {
        expect(read(`${low} a ${low + more}`)).toEqual([low, low + more, null]);
      }),
    );
  });
});
