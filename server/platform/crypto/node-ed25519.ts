import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isStrictPublicKey } from '../../../protocol/signing/ed25519.ts';
import type { NativeEd25519 } from './native-ed25519.ts';

/** RFC 8410's fixed beginning of an Ed25519 private key in PKCS #8, before the 32 bytes of the seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** OpenSSL through node:crypto, on every platform. It has no check for prime order, so the protocol's own check is used. */
export const nodeEd25519: NativeEd25519 = {
  name: 'node:crypto',
  verify: (publicKey, message, signature) =>
    publicKey.byteLength === 32 && verify(null, message, publicKeyObject(publicKey), signature),
  isStrictPublicKey: (publicKey) => isStrictPublicKey(Buffer.from(publicKey).toString('hex')),
  signer(seed) {
    const key = privateKeyObject(seed);
    return (message) => sign(null, message, key);
  },
};

/** The private key of a 32-byte seed. */
export const privateKeyObject = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

/** JWK import is the fast one: DER costs 70 µs. */
export const publicKeyObject = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  });
