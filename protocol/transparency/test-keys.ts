import { createHash } from 'node:crypto';
import { publicKeyOf, signBytes } from '../signing/ed25519.ts';
import type { SignBytes } from './note-signatures.ts';
import { newVerifierKey, type SignatureType, type VerifierKey } from './verifier-key.ts';

/** Test code: a key that signs notes (type 1) or cosigns checkpoints (type 4). */
export interface TestKey {
  readonly key: VerifierKey;
  readonly seed: Uint8Array;
  readonly sign: SignBytes;
}

export function testKey(name: string, type: SignatureType, secret = name): TestKey {
  const seed = new Uint8Array(createHash('sha256').update(secret).digest());
  return { key: newVerifierKey(name, type, publicKeyOf(seed)), seed, sign: (message) => signBytes(seed, message) };
}

/** Copies in which one byte is changed, in every place. */
export function* bytewise(bytes: Uint8Array): Generator<readonly [at: number, changed: Uint8Array]> {
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 7));
    yield [at, changed];
  }
}
