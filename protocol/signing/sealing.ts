import { sha256 } from '#digests';
import type { Digestible } from './digests.ts';

/** Hex SHA-256(salt ‖ signature ‖ canonical message): salt 32 bytes, signature 64 bytes. Protocol §7. */
export const sealedDigest = (salt: Uint8Array, signature: Uint8Array, canonicalMessage: Digestible): string =>
  sha256(salt, signature, canonicalMessage);
