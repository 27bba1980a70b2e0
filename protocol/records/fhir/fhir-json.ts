import type { Json } from '../../signing/canonical-json.ts';

export type Decimal = string & { readonly __brand: 'Decimal' };

/** A part of a resource. Undefined members are left out. */
export type FhirValue =
  | boolean
  | number
  | string
  | readonly FhirValue[]
  | { readonly [member: string]: FhirValue | undefined };

export type FhirObject = { readonly [member: string]: FhirValue | undefined };

/** https://hl7.org/fhir/R4/datatypes.html#decimal: no leading zeros, no plus, at most 18 digits that all are to be kept. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const MAX_DIGITS = 18;

/**
 * A decimal that keeps its digits: 1.50 differs from 1.5, which a JavaScript number cannot express. Marked with a NUL
 * until it is written, because no FHIR text contains NUL. Null for a text that is not a FHIR decimal.
 */
export function decimalOf(text: string): Decimal | null {
  if (!DECIMAL.test(text)) return null;
  const [digits = ''] = text.split(/[eE]/);
  const keeps = digits.replace(/[-.]/g, '').length <= MAX_DIGITS && Number.isFinite(Number(text));
  return keeps ? (`\0${text}` as Decimal) : null;
}

/** The JSON of a resource, with decimals as written. */
export const fhirJson = (value: FhirValue | Json): string =>
  JSON.stringify(value).replace(/"\\u0000([-+.\deE]+)"/g, (_, literal: string) => literal);

const LITERALS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON. A number that a JavaScript number would write with other digits, such as 1.50, becomes a `Decimal`.
 * @throws SyntaxError, also where an object has a member twice: nothing says which one is meant
 */
export function parseFhirJson(text: string): Json {
  // First, because LITERALS takes quadratic time where a string does not end.
  JSON.parse(text);
  let members = 0;
  const marked = text.replace(LITERALS, (literal) => {
    if (literal.endsWith(':')) members++;
    return literal.startsWith('"') || String(Number(literal)) === literal ? literal : `"\\u0000${literal}"`;
  });
  const value: Json = JSON.parse(marked);
  if (membersIn(value) !== members) throw new SyntaxError('an object has a member twice');
  return value;
}

function membersIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const each of Object.values(value)) members += membersIn(each);
  return members;
}

/** The digits of a number that `parseFhirJson` read; null for anything else. */
export function digitsOf(value: Json | undefined): string | null {
  if (typeof value === 'number') return JSON.stringify(value);
  return typeof value === 'string' && value.startsWith('\0') ? value.slice(1).replace('E', 'e') : null;
}
