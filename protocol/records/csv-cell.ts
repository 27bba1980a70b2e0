import { canonicalJson, type Json } from '../signing/canonical-json.ts';

/** Spreadsheets do not run plain numbers, so such a text stays as it is: "-1.50" is a value, not a formula. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Characters that a spreadsheet may skip at the start of a cell: white space, controls, invisible characters. Also the
 * apostrophe, so that an original apostrophe before a formula can be told from an added one.
 */
const SKIPPED = String.raw`'\u2800\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`;
const LEADING = new RegExp(`^[${SKIPPED}]*`, 'u');
/** Within a cell a quotation mark may be skipped too: it opens a cell for a spreadsheet that splits there. */
const LEADING_WITHIN = new RegExp(`^["${SKIPPED}]*`, 'u');

/** Tab, line feed and carriage return start a new cell in some importers (OWASP, CSV injection). */
const BREAKS = /[\t\n\r]/;

/**
 * Separators of files split at `;` or TAB, as by Excel in locales with a decimal comma. There quotation marks protect a
 * cell only at its start.
 */
const SPLITS = /(?<=[;\t\n\r])/;

/**
 * `=`, `+`, `-`, `@` after NFKC, which includes full-width, small, superscript and subscript forms; and the minus sign
 * U+2212.
 */
const TRIGGERS = new Set(['=', '+', '-', '@', '\u2212']);

/** Whether a spreadsheet may run this text as a formula. */
export function wouldRun(text: string): boolean {
  if (PLAIN_NUMBER.test(text)) return false;
  const [skipped = ''] = LEADING.exec(text) ?? [];
  return BREAKS.test(skipped) || triggers(text.slice(skipped.length));
}

/** The same for the text after a separator. Numbers are included, because other text of the row follows. */
export const wouldRunWithin = (part: string): boolean => triggers(part.replace(LEADING_WITHIN, ''));

function triggers(text: string): boolean {
  const [first = ''] = text;
  return TRIGGERS.has(first.normalize('NFKC'));
}

/** Puts an apostrophe before a text that would run, and before each part that would run after a split. */
function escaped(text: string): string {
  const [first = '', ...parts] = text.split(SPLITS);
  const rest = parts.map((part) => (wouldRunWithin(part) ? `'${part}` : part)).join('');
  return `${wouldRun(text) ? "'" : ''}${first}${rest}`;
}

/** The text of a cell that `csvCell` wrote: removes the apostrophes that it puts before what would run. */
export function unescapedCell(cell: string): string {
  if (!cell.includes("'")) return cell;
  const [first = '', ...parts] = cell.split(SPLITS);
  const restored = parts.map((part) => (part.startsWith("'") && wouldRunWithin(part) ? part.slice(1) : part)).join('');
  return `${first.startsWith("'") && wouldRun(cell) ? first.slice(1) : first}${restored}`;
}

/** JSON can write a semicolon as `\u003b`, which splits nothing. JSON escapes TAB and line ends itself. */
function escapedJson(json: string): string {
  const [first = '', ...parts] = json.split(/(?<=;)/);
  return parts.reduce((before, part) => {
    return wouldRunWithin(part) ? `${before.slice(0, -1)}\\u003b${part}` : before + part;
  }, first);
}

/**
 * One cell (RFC 4180 §2): a number as in JSON, an object as JSON, null as nothing, and a text unchanged unless it or a
 * part of it would run, which an apostrophe prevents.
 */
export function csvCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return JSON.stringify(value);
  return quoted(typeof value === 'string' ? escaped(value) : escapedJson(canonicalJson(value)));
}

/** A cell with a JSON text. */
export const csvJsonCell = (json: string): string => quoted(escapedJson(json));

const quoted = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table of RFC 4180 with a byte order mark, for spreadsheets: the names of the columns, then a row of cells each. */
export const csvTable = (columns: readonly string[], rows: readonly (readonly (Json | undefined)[])[]): string =>
  `\ufeff${[columns, ...rows].map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`).join('')}`;
