import { createHmac, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cipher.ts';

const DATA_KEY = 32;

export const newDataKey = (): Buffer => randomBytes(DATA_KEY);

/** A data key as the database keeps it: encrypted under VAULT_KEY, bound to its owner. Protocol §7. */
export const wrapKey = (vaultKey: Uint8Array, ownerId: string, dataKey: Uint8Array): Buffer =>
  encrypt(vaultKey, about(ownerId), dataKey);

/** @throws {Error} when it was wrapped by another key, or is another owner's. */
export const unwrapKey = (vaultKey: Uint8Array, ownerId: string, wrapped: Uint8Array): Buffer =>
  decrypt(vaultKey, about(ownerId), wrapped);

const about = (ownerId: string): string => `key:${ownerId}`;

/** Says which VAULT_KEY it was, and nothing else about it: 16 hex characters. */
export const keyIdOf = (vaultKey: Uint8Array): string =>
  createHmac('sha256', vaultKey).update('perpetua vault key id').digest('hex').slice(0, 16);
