import { isKeyHex } from '../protocol/signing/ed25519.ts';
import { type ClientCode, PerpetuaError } from './errors.ts';

const wrong = (sentence: string, code: ClientCode = 'ARGUMENT_INVALID'): PerpetuaError =>
  new PerpetuaError(code, sentence);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws {PerpetuaError} ARGUMENT_INVALID unless the value is a text that is not empty */
export function requireText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(`${what} must be a text that is not empty.`);
}

/** @throws {PerpetuaError} ARGUMENT_INVALID unless the value is an object, or undefined */
export function requireOptions(value: unknown, what: string): void {
  if (value === undefined) return;
  if (!isRecord(value)) throw wrong(`${what} must be an object, such as { key }.`);
  const { key, newKey, signal, instituteKey, link, onCursor } = value;
  for (const signer of [key, newKey]) if (signer !== undefined) requireSigner(signer);
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrong('signal must be an AbortSignal.');
  if (instituteKey !== undefined) requireText(instituteKey, 'instituteKey');
  if (link !== undefined) requireText(link, 'link');
  if (onCursor !== undefined && typeof onCursor !== 'function') throw wrong('onCursor must be a function.');
}

/** @throws {PerpetuaError} CANNOT_SIGN unless the value can sign */
export function requireSigner(key: unknown): void {
  if (isRecord(key) && typeof key.publicKey === 'string' && isKeyHex(key.publicKey) && typeof key.sign === 'function')
    return;
  throw wrong('A key must have publicKey, 64 hex characters, and sign(message): see keyFromSeed.', 'CANNOT_SIGN');
}

/**
 * The fields of a request, without those that are undefined.
 * @throws {PerpetuaError} CANNOT_SIGN unless it is an object that has only these members
 */
export function requireFields(
  fields: unknown,
  name: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(fields)) throw wrong(`${name} takes an object with ${known.join(', ')}.`, 'CANNOT_SIGN');
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const unknown = given.find(([member]) => !known.includes(member))?.[0];
  if (unknown === undefined) return Object.fromEntries(given);
  throw wrong(`${unknown} is not a field of ${name}: ${known.join(', ')}.`, 'CANNOT_SIGN');
}

/** @throws {PerpetuaError} ARGUMENT_INVALID unless it is the address of a service */
export function requireUrl(url: unknown): string {
  const text = typeof url === 'string' ? url : '';
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw wrong('url must be the address of the service, like https://perpetua.example.');
}
