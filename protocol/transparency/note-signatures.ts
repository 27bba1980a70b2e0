import { verifySignature } from '../signing/ed25519.ts';
import { concatBytes, utf8ToBytes } from '../signing/encoding.ts';
import { isSize } from './merkle.ts';
import type { Note, NoteSignature } from './note.ts';
import { malformed, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, NOTE_TYPE, type VerifierKey } from './verifier-key.ts';

/** Signs bytes with Ed25519; returns 64 bytes. */
export type SignBytes = (message: Uint8Array) => Uint8Array;

/** Verifies Ed25519; the key is in hex. verifySignature, or a native function that returns the same. */
export type VerifyBytes = (publicKey: string, message: Uint8Array, signature: Uint8Array) => boolean;

const SIGNATURE_BYTES = 64;
const TIMESTAMP_BYTES = 8;

/** Signs the text of a note (C2SP signed-note, type 0x01). `sign` must use the private key of `key`. */
export function signNote(key: VerifierKey, text: string, sign: SignBytes): NoteSignature {
  if (key.type !== NOTE_TYPE) throw malformed(`The key of ${key.name} does not sign notes.`);
  return { name: key.name, keyId: key.keyId, bytes: sign(utf8ToBytes(text)) };
}

/**
 * Cosigns the text of a checkpoint (C2SP tlog-cosignature, cosignature/v1, type 0x04): the signer has seen no larger
 * consistent tree of this log by `timestamp`, in whole seconds since 1970.
 */
export function cosign(key: VerifierKey, text: string, timestamp: number, sign: SignBytes): NoteSignature {
  if (key.type !== COSIGNATURE_TYPE) throw malformed(`The key of ${key.name} does not cosign checkpoints.`);
  if (!isSize(timestamp)) throw malformed('A timestamp is a whole number of seconds since 1970.');
  const bytes = concatBytes(encodeTimestamp(timestamp), sign(cosignedMessage(text, timestamp)));
  return { name: key.name, keyId: key.keyId, bytes };
}

/** The message of cosignature/v1 (C2SP tlog-cosignature). */
export const cosignedMessage = (text: string, timestamp: number): Uint8Array =>
  utf8ToBytes(`cosignature/v1\ntime ${timestamp}\n${text}`);

function encodeTimestamp(timestamp: number): Uint8Array {
  const bytes = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(timestamp));
  return bytes;
}

/** A signature that was verified. */
export interface VerifiedSignature {
  readonly key: VerifierKey;
  /** Seconds since 1970 for a cosignature, else null. Its truth is on the signer's word. */
  readonly timestamp: number | null;
}

/**
 * The signatures of a note by the given keys, in the order of the keys, one for each key. Other signatures are ignored. If a key signed
 * more than once, all must verify, and the last one counts.
 * @throws {TransparencyError} `signature` if one by a given key does not verify
 */
export function verifyNote(
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
  verify: VerifyBytes = verifySignature,
): VerifiedSignature[] {
  return keys.flatMap((key) => {
    const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
    const verified = own.map(({ bytes }) => ({ key, timestamp: verifyOne(key, text, bytes, verify) }));
    return verified.slice(-1);
  });
}

/** The timestamp of a cosignature, else null. @throws {TransparencyError} `signature` if it does not verify */
function verifyOne(key: VerifierKey, text: string, bytes: Uint8Array, verify: VerifyBytes): number | null {
  const timestamp = key.type === COSIGNATURE_TYPE ? decodeTimestamp(bytes) : null;
  const message = timestamp === null ? utf8ToBytes(text) : cosignedMessage(text, timestamp);
  const signature = timestamp === null ? bytes : bytes.subarray(TIMESTAMP_BYTES);
  if (signature.length !== SIGNATURE_BYTES || !verify(key.publicKey, message, signature)) {
    throw new TransparencyError('signature', `The signature of ${key.name} (${key.keyId}) does not verify.`);
  }
  return timestamp;
}

/** A timestamp that no number holds becomes NaN, which no message contains. */
function decodeTimestamp(bytes: Uint8Array): number {
  if (bytes.length < TIMESTAMP_BYTES) return Number.NaN;
  const timestamp = Number(new DataView(bytes.buffer, bytes.byteOffset, TIMESTAMP_BYTES).getBigUint64(0));
  return isSize(timestamp) ? timestamp : Number.NaN;
}
