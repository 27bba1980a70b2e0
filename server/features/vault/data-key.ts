import { createHmac, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cipher.ts';

const DATA_KEY = 32;

export const newDataKey = (): Buffer => randomBytes(DATA_KEY);

/** The stored form of a data key: encrypted under VAULT_KEY, bound to its owner. Protocol §7. */
export const wrapKey = (vaultKey: Uint8Array, ownerId: string, dataKey: Uint8Array): Buffer =>
  encrypt(vaultKey, about(ownerId), dataKey);

/** @throws {IntegrityFailure} if it was wrapped by another key or belongs to another owner */
export const unwrapKey = (vaultKey: Uint8Array, ownerId: string, wrapped: Uint8Array): Buffer =>
  decrypt(vaultKey, about(ownerId), wrapped);

const about = (ownerId: string): string => `key:${ownerId}`;

/** A public id of a VAULT_KEY: 16 hex characters that reveal nothing else about it. */
export const keyIdOf = (vaultKey: Uint8Array): string =>
  createHmac('sha256', vaultKey).update('perpetua vault key id').digest('hex').slice(0, 16);
