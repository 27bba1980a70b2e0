import { sha256 } from '#digests';
import { isStrictPublicKey } from '../signing/ed25519.ts';
import { bytesToHex, concatBytes, fromBase64, hexToBytes, toBase64 } from '../signing/encoding.ts';
import { malformed } from './transparency-error.ts';

/** The signature types of C2SP signed-note that this project uses: notes (0x01) and cosignatures (0x04), both Ed25519. */
export const NOTE_TYPE = 1;
export const COSIGNATURE_TYPE = 4;
export type SignatureType = typeof NOTE_TYPE | typeof COSIGNATURE_TYPE;

/** Whose signatures a verifier accepts: a vkey of C2SP signed-note. */
export interface VerifierKey {
  readonly name: string;
  /** Eight hex characters. */
  readonly keyId: string;
  readonly type: SignatureType;
  /** 64 hex characters. */
  readonly publicKey: string;
}

/** A name of a key: not empty, without Unicode spaces, plus and control characters. */
export const isKeyName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: notes must not contain them
  name !== '' && name.isWellFormed() && !/[\p{White_Space}+\u0000-\u001f]/u.test(name);

/** @throws {TransparencyError} for a name that is not allowed, and a key that isStrictPublicKey rejects (protocol §1) */
export function newVerifierKey(name: string, type: SignatureType, publicKey: string): VerifierKey {
  if (!isKeyName(name))
    throw malformed('The name of a key must not be empty, nor contain spaces, + or control characters.');
  if (!isStrictPublicKey(publicKey)) throw malformed(`The key of ${name} is not an Ed25519 point of prime order.`);
  const keyId = sha256(`${name}\n`, Uint8Array.of(type), hexToBytes(publicKey)).slice(0, 8);
  return { name, keyId, type, publicKey: publicKey.toLowerCase() };
}

/** `<name>+<key id in hex>+<base64 of type and key>` */
export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${keyId}+${toBase64(concatBytes(Uint8Array.of(type), hexToBytes(publicKey)))}`;

const VERIFIER_KEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,4096})$/;

/** @throws {TransparencyError} for another form, another signature type, and a key id that is not the one of the key */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', keyId, encoded = ''] = VERIFIER_KEY.exec(text) ?? [];
  const [type, ...key] = fromBase64(encoded) ?? [];
  if (type === undefined) throw malformed('A verifier key has the form <name>+<key id>+<base64>.');
  if (type !== NOTE_TYPE && type !== COSIGNATURE_TYPE) {
    throw malformed(`The key of ${name} has signature type ${type}; 1 (Ed25519) and 4 (cosignature/v1) are supported.`);
  }
  const verifierKey = newVerifierKey(name, type, bytesToHex(Uint8Array.from(key)));
  if (verifierKey.keyId !== keyId) throw malformed(`The key id of ${name} is not the one of its key.`);
  return verifierKey;
}
