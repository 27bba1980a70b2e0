import { canonicalJson, type Json } from '../signing/canonical-json.ts';

/** Plain numbers are not run, so a text that is one stays as it was sent: "-1.50" is a value, not a formula. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * What a spreadsheet may skip before it decides: white space, controls, and what is not seen. The apostrophe too, so that a text
 * which had one before a formula can be told from one that was given it here.
 */
const SKIPPED = String.raw`'\u2800\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`;
const LEADING = new RegExp(`^[${SKIPPED}]*`, 'u');
/** Within a cell a quotation mark may be skipped as well: it opens what the spreadsheet takes for a cell of its own. */
const LEADING_WITHIN = new RegExp(`^["${SKIPPED}]*`, 'u');

/** Tab, line feed and carriage return begin a new cell for some importers (OWASP, CSV injection). */
const BREAKS = /[\t\n\r]/;

/**
 * What begins a new cell where the file is split at `;` or TAB, as Excel does where the comma is the decimal sign: quotation
 * marks protect a cell there only if they stand at its beginning, which is behind the comma.
 */
const SPLITS = /(?<=[;\t\n\r])/;

/** By compatibility (NFKC) `=`, `+`, `-` or `@`, so full-width, small, raised and lowered forms too; and the minus sign U+2212. */
const TRIGGERS = new Set(['=', '+', '-', '@', '\u2212']);

/** Whether a spreadsheet that reads this text as a cell may run it instead of showing it. */
export function wouldRun(text: string): boolean {
  if (PLAIN_NUMBER.test(text)) return false;
  const [skipped = ''] = LEADING.exec(text) ?? [];
  return BREAKS.test(skipped) || triggers(text.slice(skipped.length));
}

/** The same for what stands behind a separator inside a text; a number, too, as other text follows it in the row. */
export const wouldRunWithin = (part: string): boolean => triggers(part.replace(LEADING_WITHIN, ''));

function triggers(text: string): boolean {
  const [first = ''] = text;
  return TRIGGERS.has(first.normalize('NFKC'));
}

/** An apostrophe before a text that would run, and before each of its parts that would, were it split. */
function escaped(text: string): string {
  const [first = '', ...parts] = text.split(SPLITS);
  const rest = parts.map((part) => (wouldRunWithin(part) ? `'${part}` : part)).join('');
  return `${wouldRun(text) ? "'" : ''}${first}${rest}`;
}

/** In JSON a semicolon can be written `\u003b`, which is the same value and splits nothing. JSON escapes TAB and line ends itself. */
function escapedJson(json: string): string {
  const [first = '', ...parts] = json.split(/(?<=;)/);
  return parts.reduce((before, part) => {
    return wouldRunWithin(part) ? `${before.slice(0, -1)}\\u003b${part}` : before + part;
  }, first);
}

/**
 * One cell (RFC 4180 §2): a number as JSON writes it; a text as it is, unless it or a part of it would run, which an apostrophe
 * before it prevents; an object as JSON; nothing for null.
 */
export function csvCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return JSON.stringify(value);
  return quoted(typeof value === 'string' ? escaped(value) : escapedJson(canonicalJson(value)));
}

/** The same for a text that is JSON already. */
export const csvJsonCell = (json: string): string => quoted(escapedJson(json));

const quoted = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
