import { fromBase64 } from '../signing/encoding.ts';
import { HASH_BYTES, type Hash } from './merkle.ts';
import { malformed } from './transparency-error.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; a byte order mark stays a character. @throws {TransparencyError} for more than `limit` bytes, or other bytes */
export function decodeText(bytes: Uint8Array, limit: number, what: string): string {
  if (bytes.length > limit) throw malformed(`The ${what} has ${bytes.length} bytes; ${limit} are allowed.`);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw malformed(`The ${what} is not valid UTF-8.`);
  }
}

/** An ASCII decimal without leading zeroes, at most 2^53 − 1. @throws {TransparencyError} for other texts */
export function decodeDecimal(text: string, what: string): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    throw malformed(`The ${what} is not a decimal number without leading zeroes, or is larger than 2^53 - 1.`);
  }
  return value;
}

/** @throws {TransparencyError} unless the text is the canonical base64 (RFC 4648 §4) of 32 bytes */
export function decodeHash(text: string, what: string): Hash {
  const bytes = text.length === 44 ? fromBase64(text) : null;
  if (bytes?.length !== HASH_BYTES) throw malformed(`The ${what} is not the base64 of 32 bytes.`);
  return bytes;
}

/** The text after a prefix. @throws {TransparencyError} for a line without it */
export function afterPrefix(line: string | undefined, prefix: string, what: string): string {
  if (!line?.startsWith(prefix)) throw malformed(`The ${what} must begin with "${prefix}".`);
  return line.slice(prefix.length);
}
