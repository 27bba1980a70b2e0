import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from './encoding.ts';

/** hex SHA-256(salt ‖ signature ‖ canonical message): salt 32 bytes, signature 64 bytes. Protocol §7. */
export function sealedDigest(salt: Uint8Array, signature: Uint8Array, canonicalMessage: string | Uint8Array): string {
  const message = typeof canonicalMessage === 'string' ? utf8ToBytes(canonicalMessage) : canonicalMessage;
  return bytesToHex(sha256.create().update(salt).update(signature).update(message).digest());
}
