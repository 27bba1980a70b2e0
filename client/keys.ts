import { isKeyHex, publicKeyOf, signBytes } from '../protocol/signing/ed25519.ts';
import { bytesToHex, hexToBytes } from '../protocol/signing/encoding.ts';
import { PerpetuaError } from './errors.ts';

/** An Ed25519 key that signs. Implement it to sign in an HSM, a key management service or another process. */
export interface Signer {
  /** 64 hex characters. */
  readonly publicKey: string;
  /** The 64 bytes of an Ed25519 signature (RFC 8032, not pre-hashed) over the message. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A key whose seed is in memory. */
export interface Key extends Signer {
  /** 64 hex characters: the secret. */
  readonly seed: string;
}

const SEED_BYTES = 32;

/** A new key from the platform's random generator. Store its seed: nobody can recover it. */
export function generateKey(): Key {
  return keyFromSeed(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/**
 * The key of an Ed25519 seed (RFC 8032 §5.1.5): 32 bytes, or 64 hex characters.
 * @throws {PerpetuaError} KEY_INVALID
 */
export function keyFromSeed(seed: Uint8Array | string): Key {
  const given = typeof seed === 'string' && isKeyHex(seed) ? hexToBytes(seed) : seed;
  const bytes = given instanceof Uint8Array ? given.slice() : null;
  if (bytes?.length !== SEED_BYTES) throw new PerpetuaError('KEY_INVALID', 'A seed is 32 bytes, or 64 hex characters.');
  const key = { publicKey: publicKeyOf(bytes), sign: (message: Uint8Array) => signBytes(bytes, message) };
  // Not enumerable, so that a log or a message with the key does not contain its secret.
  return Object.defineProperty(key, 'seed', { value: bytesToHex(bytes) }) as Key;
}
