import { createPublicKey, type KeyObject } from 'node:crypto';

/** @param publicKey 64 hex characters. */
export const ed25519Key = (publicKey: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  });
