import { sha1 as nobleSha1 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from './encoding.ts';

/** Bytes, or a string that is hashed as UTF-8. */
export type Digestible = Uint8Array | string;

const joined = (parts: readonly Digestible[]): Uint8Array =>
  concatBytes(...parts.map((part) => (typeof part === 'string' ? utf8ToBytes(part) : part)));

/**
 * Hex SHA-1 of the concatenated parts. Import it as `#digests`: package.json resolves it to this file in a browser, and in Node to
 * protocol/signing/digests.node.ts, whose native functions are ten times faster.
 */
export const sha1 = (...parts: readonly Digestible[]): string => bytesToHex(nobleSha1(joined(parts)));

/** Hex SHA-256 of the concatenated parts. */
export const sha256 = (...parts: readonly Digestible[]): string => bytesToHex(nobleSha256(joined(parts)));

/** The 32 bytes of the SHA-256 of the concatenated parts. */
export const sha256Bytes = (...parts: readonly Digestible[]): Uint8Array => nobleSha256(joined(parts));
