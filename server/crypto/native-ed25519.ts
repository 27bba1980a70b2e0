/** What a native library does of RFC 8032. Keys and seeds are 32 bytes, signatures 64; other lengths are refused, not thrown at. */
export interface NativeEd25519 {
  readonly name: string;
  /** The equation without the cofactor, for strict keys; what a key is worth is for isStrictPublicKey to say. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Whether 32 bytes are the canonical encoding of a point of prime order. */
  isStrictPublicKey(publicKey: Uint8Array): boolean;
  /** Signs with one seed; the same message gives the same signature. */
  signer(seed: Uint8Array): (message: Uint8Array) => Buffer;
}
