import type { Signer } from '../../client/keys.ts';
import { type OpenedKey, signWith } from '../_keys/secret.ts';

export type { Signer };

/** The prefix of the seed in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/** Signs while the key is open. */
export const signerOfOpen = ({ seed, publicKey }: OpenedKey): Signer => ({ publicKey, sign: signWith(seed) });

/** Signs with a non-extractable key where the browser supports that. Wipes the seed of its argument. */
export async function signerOf({ seed, publicKey }: OpenedKey): Promise<Signer> {
  const own = seed.slice();
  const held = await heldByBrowser(seed);
  seed.fill(0);
  if (!held) return { publicKey, sign: signWith(own) };
  own.fill(0);
  return {
    publicKey,
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', held, Uint8Array.from(message))),
  };
}

/** Null where the browser does not support Ed25519. */
async function heldByBrowser(seed: Uint8Array): Promise<CryptoKey | null> {
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...seed]);
  try {
    return await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  } catch {
    return null;
  } finally {
    pkcs8.fill(0);
  }
}
