/** RFC 8032 in a native library. Keys and seeds have 32 bytes, signatures 64; other lengths return false. */
export interface NativeEd25519 {
  readonly name: string;
  /** The cofactorless equation. Check keys with isStrictPublicKey before. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Whether 32 bytes are the canonical encoding of a point of prime order. */
  isStrictPublicKey(publicKey: Uint8Array): boolean;
  /** Signs with one seed; the same message gives the same signature. */
  signer(seed: Uint8Array): (message: Uint8Array) => Buffer;
}
