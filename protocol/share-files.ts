import { sha256 } from '#digests';
import { fromBase64Url, utf8ToBytes } from './signing/encoding.ts';

/** The encrypted files of a share: a SMART Health Link of HL7. Protocol §11. */

/** Of the content of a file, as the specification lists them. */
export const SHARE_CONTENT_TYPES = [
  'application/fhir+json',
  'application/smart-health-card',
  'application/smart-api-access',
] as const;
export type ShareContentType = (typeof SHARE_CONTENT_TYPES)[number];

/** All files of one share, in characters of their compact JWE. */
export const MAX_SHARE_CHARACTERS = 5 * 2 ** 20;
export const MAX_SHARE_FILES = 10;
/** A holder's shares that can be opened. */
export const MAX_LIVE_SHARES = 20;
/** Those that were not stopped and whose time has not passed, used up ones included; and the characters of their files. */
export const MAX_HELD_SHARES = 50;
export const MAX_HELD_CHARACTERS = 20_000_000;
export const MAX_OPENINGS = 100;
/** Wrong passcodes in the life of a share. */
export const PASSCODE_ATTEMPTS = 10;
/** Characters of a label; the specification's limit for the one in a link. */
export const MAX_SHARE_LABEL = 80;
/** How long a share lives after it was signed, in seconds. */
export const SHARE_SECONDS = { min: 15 * 60, max: 30 * 86_400 };

/** Header, no encrypted key, a nonce of 12 bytes, ciphertext, a tag of 16 bytes (RFC 7516 §7.1). */
const COMPACT = /^([\w-]{1,1000})\.\.([\w-]{16})\.[\w-]+\.[\w-]{22}$/;

/**
 * What an encrypted file contains, by its header, which is authenticated but not encrypted.
 * @returns null unless it is a compact JWE with `dir`, A256GCM and one of the content types, compressed with DEFLATE or not at all
 */
export function shareFileType(jwe: string): ShareContentType | null {
  const bytes = fromBase64Url(COMPACT.exec(jwe)?.[1] ?? '');
  const { alg, enc, cty, zip } = (bytes && headerIn(bytes)) ?? {};
  if (alg !== 'dir' || enc !== 'A256GCM' || (zip !== undefined && zip !== 'DEF')) return null;
  return SHARE_CONTENT_TYPES.find((type) => type === cty) ?? null;
}

function headerIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

/** The nonce of a file, which must differ between files of one key. */
export const shareFileNonce = (jwe: string): string => jwe.split('.', 3)[2] ?? '';

export const shareFileDigest = (jwe: string): string => sha256(utf8ToBytes(jwe));

/**
 * What the holder signs in place of a passcode, hex: the same passcode has another digest in every share.
 * @param fileDigest of the first file of the share, hex
 */
export const passcodeDigest = (passcode: string, fileDigest: string): string =>
  sha256(utf8ToBytes(`perpetua-share-passcode:${fileDigest.toLowerCase()}:${passcode.normalize('NFC')}`));
