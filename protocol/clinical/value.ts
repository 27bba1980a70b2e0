import type { Json } from '../signing/canonical-json.ts';
import type { JsonObject } from '../signing/message.ts';

export type DecimalMark = '.' | ',';
export type Comparator = '<' | '<=' | '>' | '>=';

/** A number as JSON writes decimals, with the digits that were written. */
type Digits = string;

/** What a submitted value means. */
export type Value =
  | { readonly kind: 'number'; readonly number: number; readonly digits: Digits }
  /** Below or above what can be measured: `<0.5`. */
  | { readonly kind: 'limit'; readonly comparator: Comparator; readonly number: number; readonly digits: Digits }
  /** A dilution such as 1:80. */
  | { readonly kind: 'ratio'; readonly numerator: number; readonly denominator: number }
  | { readonly kind: 'range'; readonly low: number; readonly high: number }
  /** A step of a scale, `++` or negative. */
  | { readonly kind: 'ordinal'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'structured'; readonly members: JsonObject }
  /** A number that is another one with the other decimal mark: 1.250 is 1.25 or 1250. */
  | { readonly kind: 'uncertain'; readonly withPoint: Digits; readonly withComma: Digits };

/** https://www.rfc-editor.org/rfc/rfc8259#section-6 */
const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Whether a text is a number as JSON writes it. */
export const isDecimal = (text: string): boolean => PLAIN_NUMBER.test(text);
/** As programs write it; spreadsheets write `1,25E+05` for a number that they have rounded. */
const EXPONENT = /^-?(0|[1-9]\d*)(\.\d+)?e[+-]?\d+$/;
const COMPARED = /^(<=|>=|<|>|≤|≥|=<|=>)\s*(\S.*)$/;
const COMPARATORS: Readonly<Record<string, Comparator>> = {
  '≤': '<=',
  '=<': '<=',
  '≥': '>=',
  '=>': '>=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
};
const RATIO = /^(\d{1,9})\s*:\s*(\d{1,9})$/;
const RANGE = /^(\S+?)\s*(?:[-–—]|\.\.)\s*(\S+)$/;
/** In characters. The time that RANGE takes grows with the square of them, and a file of others can have any text. */
const MAX_RANGE = 100;

/** Words of scales in the languages of the pages; compared without accents and case. */
const ORDINALS = new Set([
  ...['+', '++', '+++', '++++', '1+', '2+', '3+', '4+', '+-', '+/-', '±', '(+)'],
  ...[
    'negative',
    'positive',
    'neg',
    'pos',
    'trace',
    'traces',
    'reactive',
    'nonreactive',
    'non-reactive',
    'not detected',
  ],
  ...[
    'detected',
    'undetectable',
    'indeterminate',
    'equivocal',
    'borderline',
    'absent',
    'present',
    'normal',
    'abnormal',
  ],
  ...[
    'negativo',
    'positivo',
    'tracos',
    'reagente',
    'nao reagente',
    'indeterminado',
    'ausente',
    'presente',
    'detectado',
  ],
  ...['nao detectado', 'trazas', 'reactivo', 'no reactivo', 'no detectado', 'indeterminado', 'negativ', 'positiv'],
  ...['nachweisbar', 'nicht nachweisbar', 'grenzwertig', 'spur'],
]);

/** Separators of thousands that are no decimal mark. */
const GROUPS = String.raw` \u00a0\u2009\u202f'’`;
const FORMS: Readonly<Record<DecimalMark, RegExp>> = { '.': form('.', ','), ',': form(',', '.') };

function form(mark: DecimalMark, other: DecimalMark): RegExp {
  const grouped = String.raw`[1-9]\d{0,2}(?:([${other}${GROUPS}])\d{3})(?:\2\d{3})*`;
  return new RegExp(String.raw`^([-+\u2212]?)(?:${grouped}|0|[1-9]\d*|(?=[${mark}]\d))(?:[${mark}](\d+))?$`);
}

/** The decimal that a text is with one decimal mark, thousands removed; null if it is none. */
function withMark(text: string, mark: DecimalMark): Digits | null {
  const found = FORMS[mark].exec(text);
  if (!found) return null;
  const [, sign = '', , fraction] = found;
  const unsigned = sign === '' ? text : text.slice(1);
  const whole = (fraction === undefined ? unsigned : unsigned.slice(0, -fraction.length - 1)).replace(/\D/g, '');
  return `${sign === '' || sign === '+' ? '' : '-'}${whole || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
}

export type ReadNumber = { readonly digits: Digits } | Extract<Value, { kind: 'uncertain' }>;

/**
 * The number in a text, without its thousands. `mark` is the decimal mark where it is known; else a text with two meanings is
 * uncertain. Null if the text is no number.
 */
export function readNumber(text: string, mark: DecimalMark | null): ReadNumber | null {
  const trimmed = text.trim();
  if (EXPONENT.test(trimmed)) return { digits: trimmed };
  const [withPoint, withComma] = [withMark(trimmed, '.'), withMark(trimmed, ',')];
  if (withPoint !== null && withComma !== null && withPoint !== withComma) {
    if (mark === null) return { kind: 'uncertain', withPoint, withComma };
    return { digits: mark === '.' ? withPoint : withComma };
  }
  const digits = withPoint ?? withComma;
  return digits === null ? null : { digits };
}

/** What a text means, with the decimal mark of its source; null where that is unknown. */
export function parseValue(text: string, mark: DecimalMark | null): Value {
  const trimmed = text.trim();
  const number = readNumber(trimmed, mark);
  if (number) return numberValue(number, text);
  const [, sign = '', limit = ''] = COMPARED.exec(trimmed) ?? [];
  const comparator = COMPARATORS[sign];
  if (comparator) {
    const bound = readNumber(limit, mark);
    const value = bound && numberValue(bound, text);
    return value?.kind === 'number' ? { ...value, kind: 'limit', comparator } : (value ?? { kind: 'text', text });
  }
  const [, numerator, denominator] = RATIO.exec(trimmed) ?? [];
  if (denominator !== undefined)
    return { kind: 'ratio', numerator: Number(numerator), denominator: Number(denominator) };
  return rangeIn(trimmed, mark) ?? (isOrdinal(trimmed) ? { kind: 'ordinal', text } : { kind: 'text', text });
}

function numberValue(read: ReadNumber, text: string): Value {
  if ('kind' in read) return read;
  const number = Number(read.digits);
  return Number.isFinite(number) ? { kind: 'number', number, digits: read.digits } : { kind: 'text', text };
}

function rangeIn(text: string, mark: DecimalMark | null): Value | null {
  const [, from = '', to = ''] = (text.length <= MAX_RANGE && RANGE.exec(text)) || [];
  const [low, high] = [readNumber(from, mark), readNumber(to, mark)];
  if (!low || !high) return null;
  if ('kind' in low) return low;
  if ('kind' in high) return high;
  const range = { kind: 'range', low: Number(low.digits), high: Number(high.digits) } as const;
  return range.low < range.high ? range : null;
}

function isOrdinal(text: string): boolean {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}|\.$/gu, '')
    .toLowerCase();
  return ORDINALS.has(plain) || ORDINALS.has(text);
}

/** What the value of a record means. Its text is a JSON decimal first (protocol §8): `1.250` is 1.25 with its digits. */
export function meaningOf(value: Json): Value {
  if (typeof value === 'number') return { kind: 'number', number: value, digits: JSON.stringify(value) };
  if (typeof value === 'string') {
    const [, sign = '', limit = ''] = COMPARED.exec(value.trim()) ?? [];
    const digits = sign === '' ? value : limit.trim();
    const number = PLAIN_NUMBER.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isFinite(number))
      return PLAIN_NUMBER.test(digits) ? { kind: 'text', text: value } : parseValue(value, null);
    const comparator = COMPARATORS[sign];
    return comparator ? { kind: 'limit', comparator, number, digits } : { kind: 'number', number, digits };
  }
  return isStructured(value) ? { kind: 'structured', members: value } : { kind: 'text', text: JSON.stringify(value) };
}

export const isStructured = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number that a chart draws; null for any other value. */
export function numberIn(value: Json): number | null {
  const read = meaningOf(value);
  return read.kind === 'number' ? read.number : null;
}
