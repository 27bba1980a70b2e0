import { folded } from '../folded-text.ts';
import { ucumOf } from './units.ts';
import { type DecimalMark, type ReadNumber, readNumber, type Value } from './value.ts';

/** A reference range as laboratories print it: “70 a 99 mg/dL”, “< 200”, “bis 5,0”. */
export interface RangeText {
  /** Null for an open end. */
  readonly low: number | null;
  readonly high: number | null;
  /** Whether its only bound is outside of it, as 200 is of `< 200`. */
  readonly isBeyond: boolean;
  /** As printed; null where it states none. */
  readonly unit: string | null;
}

/** In English, Portuguese, Spanish and German, folded. */
const FROM = ['', 'de', 'desde', 'from', 'von'];
const TO = ['-', '–', '—', '..', '...', '…', 'a', 'ate', 'hasta', 'to', 'bis'];
const BETWEEN = ['entre', 'between', 'zwischen'];
const AND = ['e', 'y', 'and', 'und'];

const LIMITS: readonly (readonly [side: 'low' | 'high', isBeyond: boolean, words: readonly string[]])[] = [
  [
    'high',
    true,
    [
      ...['<', 'less than', 'lower than', 'below', 'under', 'menor que', 'menor do que', 'menor de', 'menor a'],
      ...['inferior a', 'abaixo de', 'por debajo de', 'unter', 'kleiner', 'kleiner als'],
    ],
  ],
  [
    'high',
    false,
    [
      ...['≤', '<=', '=<', 'up to', 'at most', 'maximum', 'ate', 'no maximo', 'maximo', 'max', 'max.', 'hasta', 'bis'],
      ...['bis zu', 'hochstens', 'menor ou igual a', 'inferior ou igual a', 'menor o igual a', 'menor o igual que'],
      ...['inferior o igual a', 'kleiner gleich', 'less than or equal to'],
    ],
  ],
  [
    'low',
    true,
    [
      ...['>', 'more than', 'greater than', 'higher than', 'above', 'over', 'maior que', 'maior do que', 'mayor que'],
      ...['mayor de', 'mayor a', 'superior a', 'acima de', 'por encima de', 'uber', 'großer', 'großer als', 'grosser'],
      'grosser als',
    ],
  ],
  [
    'low',
    false,
    [
      ...['≥', '>=', '=>', 'from', 'at least', 'minimum', 'a partir de', 'no minimo', 'minimo', 'min', 'min.', 'desde'],
      ...['ab', 'mindestens', 'maior ou igual a', 'superior ou igual a', 'mayor o igual a', 'mayor o igual que'],
      ...['superior o igual a', 'großer gleich', 'grosser gleich', 'greater than or equal to'],
    ],
  ],
];
const limitOf = new Map(LIMITS.flatMap(([side, isBeyond, words]) => words.map((word) => [word, { side, isBeyond }])));

/** Longer texts are no range that is printed. */
const MAX_TEXT = 200;
/** A stroke or another mark on a sign or a digit changes it: ≯ is > with a stroke. On letters it is an accent. */
const MARKED = /[^\p{L}\p{M}]\p{M}/u;
const NUMBER = String.raw`[-+\u2212]?\d+(?:[.,'’]\d+|[ \u00a0\u2009\u202f]\d{3}(?!\d))*`;
const TWO = new RegExp(String.raw`^(\D*?)\s*(${NUMBER})(\s*\D+?\s*)(${NUMBER})(?:\s*(\D.*)|\s+(\S.*))?$`);
const ONE = new RegExp(String.raw`^(\D+?)\s*(${NUMBER})(?:\s*(\D.*)|\s+(\S.*))?$`);

interface Parts {
  readonly numbers: readonly string[];
  readonly side: 'low' | 'high' | null;
  readonly isBeyond: boolean;
  readonly unit: string | null;
}

function partsOf(text: string): Parts | null {
  if (text.length > MAX_TEXT || MARKED.test(text.normalize('NFD'))) return null;
  const plain = text
    .trim()
    .replace(/^[([](.*)[)\]]$/, '$1')
    .trim();
  const [, before = '', from = '', between = '', to = '', close, apart] = TWO.exec(plain) ?? [];
  const [start, middle] = [folded(before), folded(between).trim()];
  const isRange = (FROM.includes(start) && TO.includes(middle)) || (BETWEEN.includes(start) && AND.includes(middle));
  if (isRange) return { numbers: [from, to], side: null, isBeyond: false, unit: unitOf(close ?? apart) };
  const [, words = '', number = '', after, farther] = ONE.exec(plain) ?? [];
  const limit = limitOf.get(folded(words).replace(/\s+/g, ' '));
  return limit ? { numbers: [number], ...limit, unit: unitOf(after ?? farther) } : null;
}

const unitOf = (text: string | undefined): string | null => text?.trim() || null;

/** Whether a number is printed with separators of thousands, which are not in its digits. */
const isGrouped = (number: string, digits: string): boolean => !number.includes(digits.replace(/^-|\..*$/g, ''));

/** The numbers of a range, as printed; none where the text is no range that can be read. */
export const numbersInRange = (text: string): readonly string[] => partsOf(text)?.numbers ?? [];

/**
 * A printed range, with the decimal mark of its source, or its first number with two readings; null if the text is not certainly a
 * range, such as one in a unit that is neither known nor `ownUnit`, which is that of the value, or `150 a 400.000`, whose thousands
 * may be meant for both numbers.
 */
export function parseRangeText(
  text: string,
  mark: DecimalMark | null,
  ownUnit = '',
): RangeText | Extract<Value, { kind: 'uncertain' }> | null {
  const parts = partsOf(text);
  if (!parts) return null;
  const { side, isBeyond, unit } = parts;
  if (unit !== null && unit !== ownUnit && ucumOf(unit) === undefined) return null;
  const numbers: { readonly bound: number; readonly grouped: boolean }[] = [];
  for (const number of parts.numbers) {
    const read: ReadNumber | null = readNumber(number, mark);
    if (read === null) return null;
    if ('kind' in read) return read;
    numbers.push({ bound: Number(read.digits), grouped: isGrouped(number, read.digits) });
  }
  const [first, second] = numbers;
  if (first === undefined) return null;
  if (second === undefined)
    return { low: side === 'low' ? first.bound : null, high: side === 'high' ? first.bound : null, isBeyond, unit };
  const [low, high] = [first.bound, second.bound];
  const sharesThousands = second.grouped && !first.grouped && low !== 0 && low * 1_000 < high;
  return low < high && !sharesThousands ? { low, high, isBeyond, unit } : null;
}
