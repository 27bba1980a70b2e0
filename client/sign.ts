import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { verifySignature } from '../protocol/signing/ed25519.ts';
import { toBase64, toBase64Url, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { requireSigner } from './arguments.ts';
import { PerpetuaError } from './errors.ts';
import type { Signer } from './keys.ts';
import { cannotSign, strictCopy } from './strict-json.ts';

/** A signed request: valid for five minutes, and once. Protocol §1. */
export interface SignedRequest {
  /** What is sent: the fields, nonce, timestamp, ledgerId and signature. */
  readonly body: Readonly<Record<string, Json>>;
  /** The canonical message that was signed. */
  readonly message: string;
  readonly signature: string;
  /** Lower-case hex. */
  readonly publicKey: string;
  readonly timestamp: string;
}

export interface Envelope {
  readonly key: Signer;
  /** Names the ledger, so that the request cannot be replayed at another deployment. */
  readonly ledgerId?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** 16 to 128 characters; by default 192 random bits. */
  readonly nonce?: string;
  /** Names of the fields that are sent, but not signed. */
  readonly unsigned?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const NONCE_BYTES = 24;
const RESERVED = ['function', 'nonce', 'timestamp', 'signature', 'ledgerId'];

/**
 * Signs the fields of an operation or of a signed read. The values are copied first, so that exactly what is signed is sent.
 * @throws {PerpetuaError} CANNOT_SIGN for a value without one canonical form, or if the key returns no valid signature
 */
export async function signRequest(functionName: string, fields: Fields, envelope: Envelope): Promise<SignedRequest> {
  const { key, ledgerId, now, nonce = randomNonce(), unsigned = [] } = envelope;
  requireSigner(key);
  const given = strictFields(fields);
  const reserved = RESERVED.find((name) => Object.hasOwn(given, name));
  if (reserved) throw cannotSign(reserved, 'is set by the client');
  const timestamp = new Date(now).toISOString();
  const sent = { ...given, ...(ledgerId === undefined ? {} : { ledgerId }), nonce, timestamp };
  const signed = Object.fromEntries(Object.entries(sent).filter(([name]) => !unsigned.includes(name)));
  const message = canonicalJson({ function: functionName, ...signed });
  const publicKey = key.publicKey.toLowerCase();
  const signature = await signatureBy(key, publicKey, message);
  return { body: { ...sent, signature }, message, signature, publicKey, timestamp };
}

/** A strict copy of the fields of a request. @throws {PerpetuaError} CANNOT_SIGN */
export function strictFields(fields: Fields): Readonly<Record<string, Json>> {
  const copy = strictCopy(fields);
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return copy as Readonly<Record<string, Json>>;
  throw cannotSign('', 'must be an object');
}

/** Checked before anything is sent: a signer that is configured for another key or pre-hashes would only see refusals. */
async function signatureBy(key: Signer, publicKey: string, message: string): Promise<string> {
  const bytes = utf8ToBytes(message);
  const signature = await key.sign(bytes);
  if (verifySignature(publicKey, bytes, Uint8Array.from(signature))) return toBase64(signature);
  const problem = 'The signer did not return an Ed25519 signature by its public key.';
  throw new PerpetuaError('CANNOT_SIGN', problem, { details: { publicKey } });
}

const randomNonce = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
