import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomSlice } from '../../platform/crypto/random.ts';
import { IntegrityFailure } from './integrity.ts';

const NONCE = 12;
const TAG = 16;

/** The length of a ciphertext in bytes. */
export const sealedLength = (plain: number): number => NONCE + plain + TAG;

/** AES-256-GCM: 12 random bytes ‖ ciphertext ‖ 16-byte tag. `about` is the associated data, which is not stored. Protocol §7. */
export function encrypt(key: Uint8Array, about: string, plain: Uint8Array): Buffer {
  const nonce = randomSlice(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * @param name for the data in logs, if `about` must not be logged
 * @throws {IntegrityFailure} if the key is wrong, or any bit of the ciphertext or the associated data was altered
 */
export function decrypt(key: Uint8Array, about: string, sealed: Uint8Array, name = about): Buffer {
  if (sealed.length < NONCE + TAG) throw new IntegrityFailure(name);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE))
      .setAAD(Buffer.from(about))
      .setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
  } catch {
    throw new IntegrityFailure(name);
  }
}
