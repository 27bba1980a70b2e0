import * as noble from '@noble/ed25519';
import { hash, Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, fromBase64, hexToBytes } from './encoding.ts';

noble.hashes.sha512 = sha512;

const SIGNATURE_BYTES = 64;

/** The 64 bytes of a signature given as canonical base64 (88 characters), else null. Protocol §1. */
export function decodeSignature(signature: string): Uint8Array | null {
  if (signature.length !== 88) return null;
  const bytes = fromBase64(signature);
  return bytes?.length === SIGNATURE_BYTES ? bytes : null;
}

/** True for 64 hex characters, in either case. Does not check the point they encode. */
export const isKeyHex = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text);

/**
 * True when 64 hex characters are the canonical encoding (RFC 8032 §5.1.3) of a point of prime order. Small and mixed order,
 * the identity and y ≥ p are rejected: under a small-order key any message verifies. Stricter than RFC 8032.
 */
export function isStrictPublicKey(hex: string): boolean {
  if (!isKeyHex(hex)) return false;
  try {
    const point = Point.fromBytes(hexToBytes(hex.toLowerCase()), false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/**
 * RFC 8032 §5.1.7 without the cofactor: S < L, canonical R and A, R' = S·B − k·A compared byte by byte, and R is not the
 * identity. The native verifiers do the same; the library's own verify multiplies by the cofactor and accepts more.
 */
export function verifySignature(publicKeyHex: string, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || !isKeyHex(publicKeyHex) || hasIdentityAsR(signature)) return false;
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= Point.CURVE().n) return false;
  const publicKey = hexToBytes(publicKeyHex.toLowerCase());
  try {
    const a = Point.fromBytes(publicKey, false);
    const k = littleEndian(hash(concatBytes(r, publicKey, message))) % Point.CURVE().n;
    const expected = Point.BASE.multiply(s, false).subtract(a.multiply(k, false));
    return bytesToHex(expected.toBytes()) === bytesToHex(r);
  } catch {
    return false;
  }
}

/**
 * True if R, the first half of a signature, is the identity: the only point of small order that can verify under a strict key.
 * Stricter than RFC 8032: native verifiers of different Node versions disagree here, and no signer produces it.
 */
export const hasIdentityAsR = (signature: Uint8Array): boolean =>
  signature[0] === 1 && signature.subarray(1, 32).every((byte) => byte === 0);

/** The public key, in hex, of a 32-byte seed given in bytes. */
export const publicKeyOf = (seed: Uint8Array): string => bytesToHex(noble.getPublicKey(seed));

/** Signs bytes with a 32-byte seed; 64 bytes (RFC 8032 §5.1.6). */
export const signBytes = (seed: Uint8Array, message: Uint8Array): Uint8Array => noble.sign(message, seed);

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);
}
