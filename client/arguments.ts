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

/**
 * The options that are given: null and an empty text are none.
 * @throws {PerpetuaError} ARGUMENT_INVALID, or CANNOT_SIGN for a key that cannot sign
 */
export function givenOptions<Options extends object>(
  value: Options | null | undefined,
  what: string,
): Partial<Options> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw wrong(`${what} must be an object, such as { key }.`);
  const members = Object.entries(value).filter(
    ([, member]) => member !== undefined && member !== null && member !== '',
  );
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(members);
  const { key, newKey, signal, instituteKey, link, onCursor, unanswered } = given;
  for (const signer of [key, newKey]) if (signer !== undefined) requireSigner(signer);
  if (signal !== undefined && !isSignal(signal)) throw wrong('signal must be an AbortSignal.');
  if (instituteKey !== undefined) requireText(instituteKey, 'instituteKey');
  if (link !== undefined) requireText(link, 'link');
  if (unanswered !== undefined && !isRecord(unanswered))
    throw wrong('unanswered must be the member of the error of an earlier attempt.');
  if (onCursor !== undefined && typeof onCursor !== 'function') throw wrong('onCursor must be a function.');
  return given as Partial<Options>;
}

/** Also one of another window, which is no instance of this one's AbortSignal. */
const isSignal = (value: unknown): boolean => isRecord(value) && typeof value.addEventListener === 'function';

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

/** The address of a service, or a path at the origin of the page. @throws {PerpetuaError} ARGUMENT_INVALID */
export function requireUrl(url: unknown): string {
  const isAddress = typeof url === 'string' && /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
  if (isAddress || (typeof url === 'string' && /^(\/|$)/.test(url))) return url.replace(/\/+$/, '');
  throw wrong('url must be the address of the service, like https://perpetua.example.');
}
