import { refusal } from '../../protocol/errors.ts';
import { type JsonObject, messageBytes, type SignedRequest } from '../../protocol/message.ts';
import { signatureBytes, verifyNatively } from '../crypto/ed25519.ts';

/**
 * Whether a signature in base64 is a key's (hex) over a message. In this thread: handing 50 µs of work to the pool costs more
 * than it saves. Processes are what scales.
 */
export function isSignedBy(message: JsonObject, signature: string, publicKey: string): boolean {
  const bytes = signatureBytes(signature);
  return bytes !== null && verifyNatively(publicKey, messageBytes(message), bytes);
}

/** @throws INVALID_SIGNATURE, which says whose key was expected. */
export function verifyRequest({ message, signature }: SignedRequest, publicKey: string, expectedKey: string): void {
  if (isSignedBy(message, signature, publicKey)) return;
  throw refusal('INVALID_SIGNATURE', undefined, { expected_key: expectedKey });
}
