/** Bytes that are encrypted for this browser alone: its key cannot be extracted. */
export interface SealedForBrowser {
  /** AES-256-GCM. */
  readonly key: CryptoKey;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly ciphertext: ArrayBuffer;
}

const NONCE_BYTES = 12;

/** Encrypts bytes under a new key; `name` is where they are stored, and authenticated with them. */
export async function sealForBrowser(name: string, bytes: Uint8Array): Promise<SealedForBrowser> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const ciphertext = await crypto.subtle.encrypt(parameters(name, nonce), key, Uint8Array.from(bytes));
  return { key, nonce, ciphertext };
}

/** Null where decryption fails: a browser may lose part of what it stored. */
export async function openForBrowser(
  name: string,
  { key, nonce, ciphertext }: SealedForBrowser,
): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(name, nonce), key, ciphertext));
  } catch {
    return null;
  }
}

const parameters = (name: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});
