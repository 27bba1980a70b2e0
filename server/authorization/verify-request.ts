import { refusal } from '../../protocol/errors.ts';
import { type SignedRequest, withMessageDigest } from '../../protocol/message.ts';
import type { SignatureChecks } from '../crypto/signature-checks.ts';

/** @throws INVALID_SIGNATURE, which says whose key was expected. */
export async function verifyRequest(
  signatures: SignatureChecks,
  { message, signature }: SignedRequest,
  publicKey: string,
  expectedKey: string,
): Promise<void> {
  if (await signatures.isSigned(message, signature, publicKey)) return;
  throw withMessageDigest(refusal('INVALID_SIGNATURE', undefined, { expected_key: expectedKey }), message);
}
