import { createPublicKey, type KeyObject } from 'node:crypto';
import { hasIdentityAsR, isKeyHex } from '../../../protocol/signing/ed25519.ts';
import { loadLibsodium } from './libsodium.ts';
import { nodeEd25519 } from './node-ed25519.ts';

/** The verifier in use. All verifiers agree; docs/cryptography.md explains why, and the vectors test it. */
export const native = loadLibsodium() ?? nodeEd25519;

/** RFC 8032, cofactorless. False for wrong lengths, and for R as the identity, on which verifiers disagree (protocol §1). */
export const verifyBytes = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  !hasIdentityAsR(signature) && native.verify(publicKey, message, signature);

/** verifyBytes for a key in hex; false for a malformed key. */
export const verifyNatively = (keyHex: string, message: Uint8Array, signature: Uint8Array): boolean =>
  isKeyHex(keyHex) && verifyBytes(Buffer.from(keyHex, 'hex'), message, signature);

/** The same result as protocol's decodeSignature, ten times faster. */
export function signatureBytes(signature: string): Buffer | null {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.byteLength === 64 && bytes.toString('base64') === signature ? bytes : null;
}

/** The same result as protocol's isStrictPublicKey, more than ten times faster. */
export const isStrictPublicKeyNatively = (hex: string): boolean =>
  isKeyHex(hex) && native.isStrictPublicKey(Buffer.from(hex, 'hex'));

/** Signs with an Ed25519 key of node:crypto. */
export function createSigner(privateKey: KeyObject): {
  readonly publicKey: Buffer;
  sign(message: Uint8Array): Buffer;
} {
  const { d, x } = privateKey.export({ format: 'jwk' });
  if (!d || !x || createPublicKey(privateKey).asymmetricKeyType !== 'ed25519') {
    throw new Error('The key is not an Ed25519 private key.');
  }
  return { publicKey: Buffer.from(x, 'base64url'), sign: native.signer(Buffer.from(d, 'base64url')) };
}
