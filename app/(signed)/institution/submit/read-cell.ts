import {
  type DecimalMark,
  meaningOf,
  parseValue,
  readNumber,
  type Value,
} from '../../../../protocol/clinical/value.ts';
import { folded } from '../../../../protocol/folded-text.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../../protocol/signing/message.ts';
import { isNotFinal } from './not-final.ts';

/** What a cell with a value is read as. */
export interface ReadValue {
  /** As it is sent. */
  readonly sent: Json;
  readonly meaning: Value;
  /** The letter with which a laboratory marks a value, `92 H`. */
  readonly flag: string | null;
}

/**
 * A value as it is sent: a number if its text is that of the number in canonical JSON, else the text, so that nothing is
 * rounded and no trailing zero is lost.
 */
export function sentValue(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** A number or a limit with the flag that analysers print after it. */
const FLAGGED = /^(.*[\d)])\s*(HH|LL|H|L|\*+|\((?:HH|LL|H|L|\*+)\)|\[(?:HH|LL|H|L|\*+)\])$/;

export function readValue(cell: string, mark: DecimalMark | null): ReadValue {
  const text = cell.trim();
  const object = text.startsWith('{') ? objectIn(text) : null;
  if (object !== null) return { sent: object, meaning: { kind: 'structured', members: object }, flag: null };
  const meaning = parseValue(text, mark);
  const [, flagged = '', marked = ''] = meaning.kind === 'text' ? (FLAGGED.exec(text) ?? []) : [];
  const flag = marked.replace(/[()[\]]/g, '');
  const measured = flag === '' ? meaning : parseValue(flagged, mark);
  if (flag !== '' && (measured.kind === 'number' || measured.kind === 'limit' || measured.kind === 'uncertain'))
    return { sent: sentFor(measured, flagged.trim()), meaning: measured, flag };
  return { sent: sentFor(meaning, text), meaning, flag: null };
}

/** Numbers are sent as JSON writes decimals, so that every reader takes them for the same number. */
function sentFor(meaning: Value, text: string): number | string {
  if (meaning.kind === 'number') return sentValue(meaning.digits);
  if (meaning.kind !== 'limit') return text;
  const asRecord = meaningOf(text);
  const isPlain = asRecord.kind === 'limit' && asRecord.digits === meaning.digits && !text.includes(',');
  return isPlain ? text : `${meaning.comparator}${meaning.digits}`;
}

/** The JSON object that a text is; null for any other. */
export function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** A number of another column, such as a bound of a range: null without one, which is not certain or would be rounded. */
export function readBound(cell: string, mark: DecimalMark | null): number | 'uncertain' | null {
  const read = readNumber(cell, mark);
  if (!read) return null;
  if ('kind' in read) return 'uncertain';
  const number = Number(read.digits);
  if (String(number) === read.digits) return number;
  return number.toFixed(Math.min(read.digits.split('.')[1]?.length ?? 0, 100)) === read.digits ? number : null;
}

/** Errors of spreadsheets and placeholders, which are no value in any language. */
const NO_VALUE = /^(?:#.*[!?]?|#N\/[AD]|n\/?a|nan|null|undefined|-+|\.+|\?+|=.*|@.*)$/i;
export const isNoValue = (text: string): boolean => NO_VALUE.test(text.trim());
/** “Not done”, “see the note”, and samples that could not be measured; folded. */
const NO_RESULT = new RegExp(
  `^(?:${[
    ...['n[./]?d\\.?', 's/d', 'qns', 'tnp', 'see (?:note|notes|comment|comments|below)', 'quantity not sufficient'],
    ...[
      'ver (?:nota|notas|obs\\.?|observacao|observacion|comentario|laudo|anexo)',
      'siehe (?:befund|anmerkung|kommentar)',
    ],
    ...['ha?emoly[sz]ed', 'hemolizad[oa]', 'hemolisad[oa]', 'hamolytisch', 'clotted', 'coagulad[oa]', 'lip[ae]mic'],
    ...[
      '(?:material|amostra|muestra|cantidad) insuficiente',
      'insufficient (?:sample|quantity|specimen)',
      'zu wenig material',
    ],
  ].join('|')})$`,
);
export const isNoResult = (text: string): boolean => NO_RESULT.test(folded(text.trim())) || isNotFinal(text);

/** Characters that cannot be seen: controls, zero-width and other format characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\ufffd]/u;
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text.trim());
