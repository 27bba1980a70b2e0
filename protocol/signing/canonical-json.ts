export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * RFC 8785 (JCS): the canonical serialisation of a JSON value. Keys are sorted by UTF-16 code units at every depth; numbers and
 * strings are written as ECMAScript does, as the RFC requires.
 * @throws {TypeError} for values that I-JSON does not allow: non-finite numbers, lone surrogates, undefined.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number that is not finite has no canonical JSON.');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new TypeError(`A value of type ${typeof value} has no canonical JSON.`);
  }
  if (value === null) return 'null';
  const known = written.get(value);
  if (known !== undefined) return known;
  if (isArray(value)) return canonicalList(value);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    members += `${members && ','}${canonicalString(key)}:${canonicalJson(value[key] as Json)}`;
  }
  return `{${members}}`;
}

const written = new WeakMap<object, string>();

/** The same, remembered as long as the value: for a value that is written by itself and within others, and does not change. */
export function canonicalPart(value: Json): string {
  const text = canonicalJson(value);
  if (typeof value === 'object' && value !== null) written.set(value, text);
  return text;
}

function canonicalList(list: readonly Json[]): string {
  let elements = '';
  for (let index = 0; index < list.length; index++) {
    elements += `${index === 0 ? '' : ','}${canonicalJson(list[index] as Json)}`;
  }
  return `[${elements}]`;
}

const isArray = (value: object): value is readonly Json[] => Array.isArray(value);

/** Strings that need no escapes: this test is faster than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('A string with a lone surrogate has no canonical JSON.');
  return JSON.stringify(text);
}
