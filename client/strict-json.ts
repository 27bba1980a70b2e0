import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { PerpetuaError } from './errors.ts';

/** The server accepts bodies of this depth. */
const MAX_DEPTH = 32;

/**
 * A copy of a value that has exactly one canonical form in every language. Members that are undefined are left out.
 * @throws {PerpetuaError} CANNOT_SIGN with `details.path`, for values that languages write differently or JSON cannot carry:
 * numbers that are not finite, -0, integers beyond 2^53, lone surrogates, undefined in lists, Dates and other objects of classes,
 * accessors, members named __proto__, and names that differ only in their Unicode normalization
 */
export function strictCopy(value: unknown, path = '', depth = 0): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return strictText(value, path);
  if (typeof value === 'number') return strictNumber(value, path);
  if (typeof value !== 'object') throw cannotSign(path, `is of type ${typeof value}`);
  if (depth >= MAX_DEPTH) throw cannotSign(path, `is nested deeper than ${MAX_DEPTH} levels`);
  return Array.isArray(value) ? strictList(value, path, depth) : strictObject(value, path, depth);
}

/** The canonical JSON (RFC 8785) of a value. @throws {PerpetuaError} CANNOT_SIGN, like strictCopy */
export const strictJson = (value: unknown): string => canonicalJson(strictCopy(value));

function strictText(text: string, path: string): string {
  if (!text.isWellFormed()) throw cannotSign(path, 'contains half of a surrogate pair');
  return text;
}

function strictNumber(number: number, path: string): number {
  if (!Number.isFinite(number)) throw cannotSign(path, `is ${number}`);
  if (Object.is(number, -0)) throw cannotSign(path, 'is -0: use 0');
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw cannotSign(path, 'is an integer beyond 2^53: use a string');
  }
  return number;
}

function strictList(list: readonly unknown[], path: string, depth: number): Json {
  // Not map, which skips holes.
  return Array.from(list, (element, index) => {
    if (element === undefined) throw cannotSign(join(path, index), 'is undefined: use null');
    return strictCopy(element, join(path, index), depth + 1);
  });
}

function strictObject(object: object, path: string, depth: number): Json {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw cannotSign(path, `is a ${object.constructor?.name}: use plain JSON`);
  }
  if (Object.getOwnPropertySymbols(object).length > 0) throw cannotSign(path, 'has a symbol as a name');
  const copy: Record<string, Json> = {};
  const normalized = new Set<string>();
  for (const [name, { enumerable, get, value }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (!enumerable) continue;
    const at = join(path, name);
    if (name === '__proto__') throw cannotSign(at, 'is not allowed as a name');
    if (get) throw cannotSign(at, 'is computed when it is read: use a value');
    strictText(name, at);
    if (normalized.size === normalized.add(name.normalize()).size) {
      throw cannotSign(at, 'differs from another name only in its Unicode normalization');
    }
    if (value !== undefined) copy[name] = strictCopy(value, at, depth + 1);
  }
  return copy;
}

const join = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

export const cannotSign = (path: string, problem: string): PerpetuaError =>
  new PerpetuaError('CANNOT_SIGN', `${path === '' ? 'The value' : path} ${problem}.`, { details: { path } });
