import { canonicalJson, type Json } from '../../../protocol/canonical-json.ts';

/** Plain numbers are not run, so a text that is one stays as it was sent: "-1.50" is a value, not a formula. */
const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * What a spreadsheet may skip before it decides: white space, controls, and what is not seen. The apostrophe too, so that a text
 * which had one before a formula can be told from one that was given it here.
 */
const SKIPPED = /^['\u2800\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*/u;

/** Tab, line feed and carriage return begin a new cell for some importers (OWASP, CSV injection). */
const BREAKS = /[\t\n\r]/;

/** By compatibility (NFKC) `=`, `+`, `-` or `@`, so full-width, small, raised and lowered forms too; and the minus sign U+2212. */
const TRIGGERS = new Set(['=', '+', '-', '@', '\u2212']);

/** Whether a spreadsheet that reads this text as a cell may run it instead of showing it. */
export function wouldRun(text: string): boolean {
  if (PLAIN_NUMBER.test(text)) return false;
  const [skipped = ''] = SKIPPED.exec(text) ?? [];
  if (BREAKS.test(skipped)) return true;
  const [first = ''] = text.slice(skipped.length);
  return TRIGGERS.has(first.normalize('NFKC'));
}

/**
 * One cell (RFC 4180 §2): a number as JSON writes it, a text as it is unless it would run, which an apostrophe before it
 * prevents, an object as canonical JSON, nothing for null.
 */
export function csvCell(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return JSON.stringify(value);
  const text = typeof value === 'string' ? (wouldRun(value) ? `'${value}` : value) : canonicalJson(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
