import { hasIdentityAsR } from '../../../protocol/signing/ed25519.ts';
import { native } from './ed25519.ts';

/** A check of a public key (32 bytes): whether it is strict or, with `signed`, whether it has signed a message. */
export interface Check {
  readonly publicKey: Uint8Array;
  readonly signed: { readonly message: Uint8Array; readonly signature: Uint8Array } | null;
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 1 + KEY_BYTES;
const SIGNED_HEAD_BYTES = HEAD_BYTES + SIGNATURE_BYTES + 4;

/**
 * Encodes checks in one transferable buffer. Each: a byte that is 1 if there is a signature, the key (32), and then the
 * signature (64), the length of the message (4, little endian) and the message.
 */
export function encodeChecks(checks: readonly Check[]): Uint8Array<ArrayBuffer> {
  const size = checks.reduce(
    (sum, { signed }) => sum + (signed ? SIGNED_HEAD_BYTES + signed.message.byteLength : HEAD_BYTES),
    0,
  );
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { publicKey, signed } of checks) {
    bytes[at] = signed ? 1 : 0;
    bytes.set(publicKey, at + 1);
    at += HEAD_BYTES;
    if (!signed) continue;
    bytes.set(signed.signature, at);
    view.setUint32(at + SIGNATURE_BYTES, signed.message.byteLength, true);
    bytes.set(signed.message, at + SIGNATURE_BYTES + 4);
    at += SIGNATURE_BYTES + 4 + signed.message.byteLength;
  }
  return bytes;
}

/** The results of packed checks, in their order: 1 for yes, 0 for no. */
export function runChecks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const results: number[] = [];
  let at = 0;
  while (at < bytes.byteLength) {
    const isSigned = bytes[at] === 1;
    const publicKey = bytes.subarray(at + 1, at + HEAD_BYTES);
    at += HEAD_BYTES;
    if (!isSigned) {
      results.push(native.isStrictPublicKey(publicKey) ? 1 : 0);
      continue;
    }
    const signature = bytes.subarray(at, at + SIGNATURE_BYTES);
    const messageAt = at + SIGNATURE_BYTES + 4;
    at = messageAt + view.getUint32(at + SIGNATURE_BYTES, true);
    const isValid = !hasIdentityAsR(signature) && native.verify(publicKey, bytes.subarray(messageAt, at), signature);
    results.push(isValid ? 1 : 0);
  }
  return Uint8Array.from(results);
}
