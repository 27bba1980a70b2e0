import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Json } from '../../protocol/canonical-json.ts';
import { messageBytes } from '../../protocol/message.ts';
import { privateKeyObject } from '../../server/crypto/node-ed25519.ts';

export interface Holder {
  readonly privateKey: KeyObject;
  /** 64 hex characters. */
  readonly publicKey: string;
}

/** Not JWK: in Node 20 its export of a key just generated waits for ever when a garbage collection falls into it. */
const SPKI = { type: 'spki', format: 'der' } as const;
const RAW_KEY_BYTES = 32;

export function createHolder(): Holder {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export(SPKI).subarray(-RAW_KEY_BYTES).toString('hex') };
}

/** The holder of a 32-byte seed in hex, the same in every process. */
export function holderOf(seed: string): Holder {
  const privateKey = privateKeyObject(Buffer.from(seed, 'hex'));
  const publicKey = createPublicKey(privateKey).export(SPKI).subarray(-RAW_KEY_BYTES).toString('hex');
  return { privateKey, publicKey };
}

/** The fields of an operation with their envelope, signed now: they can be used for five minutes. Protocol §1. */
export function signedFields<Fields extends Readonly<Record<string, Json>>>(
  functionName: string,
  fields: Fields,
  privateKey: KeyObject,
) {
  const envelope = { nonce: randomBytes(16).toString('hex'), timestamp: new Date().toISOString() };
  const message = messageBytes({ function: functionName, ...fields, ...envelope });
  const signature = sign(null, message, privateKey).toString('base64');
  return { ...fields, ...envelope, signature };
}

/** The same as the JSON body of a request. */
export const signedBody = (
  functionName: string,
  fields: Readonly<Record<string, Json>>,
  privateKey: KeyObject,
): string => JSON.stringify(signedFields(functionName, fields, privateKey));
