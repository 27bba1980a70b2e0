import { portableDigests } from './digests.ts';
import { concatBytes, utf8ToBytes } from './encoding.ts';

/** hex SHA-256(salt ‖ signature ‖ canonical message): salt 32 bytes, signature 64 bytes. Protocol §7. */
export function sealedDigest(
  salt: Uint8Array,
  signature: Uint8Array,
  canonicalMessage: string | Uint8Array,
  { sha256 } = portableDigests,
): string {
  const message = typeof canonicalMessage === 'string' ? utf8ToBytes(canonicalMessage) : canonicalMessage;
  return sha256(concatBytes(salt, signature, message));
}
