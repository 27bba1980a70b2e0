import { createPublicKey, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import { privateKeyObject } from './node-ed25519.ts';

/** The Ed25519 key of a program that sends requests: the seed command, the benchmark, the tests. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  /** 64 hex characters. */
  readonly publicKey: string;
}

const SPKI = { type: 'spki', format: 'der' } as const;
const RAW_KEY_BYTES = 32;

/** The key of a 32-byte seed in hex. */
export function signingKeyOf(seed: string): SigningKey {
  const privateKey = privateKeyObject(Buffer.from(seed, 'hex'));
  return { privateKey, publicKey: publicKeyHex(createPublicKey(privateKey)) };
}

export const newSigningKey = (): SigningKey => signingKeyOf(randomBytes(32).toString('hex'));

const publicKeyHex = (key: KeyObject): string => key.export(SPKI).subarray(-RAW_KEY_BYTES).toString('hex');

/** The fields of a request with timestamp, nonce and signature; valid for five minutes. Protocol §1. */
export function signedFields<Fields extends Readonly<Record<string, Json>>>(
  functionName: string,
  fields: Fields,
  privateKey: KeyObject,
  { nonce = randomUUID() as string, timestamp = new Date().toISOString() } = {},
) {
  const message = messageBytes({ function: functionName, ...fields, nonce, timestamp });
  return { ...fields, nonce, timestamp, signature: sign(null, message, privateKey).toString('base64') };
}

/** The same as the JSON body of a request. */
export const signedBody = (
  functionName: string,
  fields: Readonly<Record<string, Json>>,
  privateKey: KeyObject,
): string => JSON.stringify(signedFields(functionName, fields, privateKey));
