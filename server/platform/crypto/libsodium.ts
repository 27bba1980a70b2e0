import { createRequire } from 'node:module';
import type { NativeEd25519 } from './native-ed25519.ts';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The types of the sodium-native functions in use, named as in libsodium. Buffers may be longer than the lengths. */
interface Sodium {
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_core_ed25519_is_valid_point(point: Uint8Array): boolean;
}

/**
 * libsodium, twice as fast as OpenSSL: cofactorless, S < L, canonical encodings only. Null if the package has no binary for the
 * platform.
 */
export function loadLibsodium(): NativeEd25519 | null {
  let sodium: Sodium;
  try {
    sodium = createRequire(import.meta.url)('sodium-native');
  } catch {
    return null;
  }
  return {
    name: 'libsodium',
    verify: (publicKey, message, signature) =>
      publicKey.byteLength === KEY_BYTES &&
      signature.byteLength === SIGNATURE_BYTES &&
      sodium.crypto_sign_verify_detached(signature, message, publicKey),
    isStrictPublicKey: (publicKey) =>
      publicKey.byteLength === KEY_BYTES && sodium.crypto_core_ed25519_is_valid_point(publicKey),
    signer(seed) {
      const [publicKey, secretKey] = [Buffer.alloc(KEY_BYTES), Buffer.alloc(2 * KEY_BYTES)];
      sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
      return (message) => {
        const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
        sodium.crypto_sign_detached(signature, message, secretKey);
        return signature;
      };
    },
  };
}
