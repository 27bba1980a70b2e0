import { createRequire } from 'node:module';
import { Transform, type TransformCallback } from 'node:stream';

/** Bytes of plaintext in a chunk. All chunks but the last have this size. */
const CHUNK = 64 * 1024;

export const STREAM_HEADER_BYTES = 24;

/** The types of the sodium-native functions in use, named as in libsodium. */
interface Sodium {
  readonly crypto_secretstream_xchacha20poly1305_STATEBYTES: number;
  readonly crypto_secretstream_xchacha20poly1305_ABYTES: number;
  readonly crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: number;
  readonly crypto_secretstream_xchacha20poly1305_TAG_FINAL: number;
  crypto_secretstream_xchacha20poly1305_init_push(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_push(state: Buffer, to: Buffer, from: Buffer, ad: Buffer, tag: number): void;
  crypto_secretstream_xchacha20poly1305_init_pull(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_pull(state: Buffer, to: Buffer, tag: Buffer, from: Buffer, ad: Buffer): void;
}

function loadSodium(): Sodium {
  try {
    return createRequire(import.meta.url)('sodium-native');
  } catch {
    throw new Error('sodium-native, which encrypts streams, has no binary for this platform.');
  }
}

/** The bytes were altered, truncated or reordered, or encrypted with another key or other associated data. */
export class StreamForged extends Error {
  override readonly name = 'StreamForged';
}

/**
 * Encrypts a stream with libsodium's secretstream (XChaCha20-Poly1305) in chunks of 64 KiB; the last one has the final tag.
 * @param key 32 bytes
 * @param associated authenticated with every chunk
 * @returns the header, 24 bytes, which decryption needs, and the transformation
 */
export function encryptStream(key: Buffer, associated: Buffer): { header: Buffer; stream: Transform } {
  const sodium = loadSodium();
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  const header = Buffer.alloc(STREAM_HEADER_BYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_push(state, header, key);
  const seal = (chunk: Buffer, tag: number): Buffer => {
    const sealed = Buffer.allocUnsafe(chunk.length + sodium.crypto_secretstream_xchacha20poly1305_ABYTES);
    sodium.crypto_secretstream_xchacha20poly1305_push(state, sealed, chunk, associated, tag);
    return sealed;
  };
  const stream = inChunks(
    CHUNK,
    (chunk) => seal(chunk, sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE),
    (chunk) => seal(chunk, sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL),
  );
  return { header, stream };
}

/** Decrypts such a stream. It fails with {@link StreamForged}, possibly after it passed on authentic bytes. */
export function decryptStream(key: Buffer, header: Buffer, associated: Buffer): Transform {
  const sodium = loadSodium();
  const overhead = sodium.crypto_secretstream_xchacha20poly1305_ABYTES;
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, header, key);
  const open = (sealed: Buffer, expected: number): Buffer => {
    if (sealed.length < overhead) throw new StreamForged('The stream is truncated.');
    const chunk = Buffer.allocUnsafe(sealed.length - overhead);
    const tag = Buffer.alloc(1);
    try {
      sodium.crypto_secretstream_xchacha20poly1305_pull(state, chunk, tag, sealed, associated);
    } catch {
      throw new StreamForged('The stream was altered.');
    }
    if (tag[0] !== expected) throw new StreamForged('The stream is truncated.');
    return chunk;
  };
  return inChunks(
    CHUNK + overhead,
    (sealed) => open(sealed, sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE),
    (sealed) => open(sealed, sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL),
  );
}

/** Cuts a stream into pieces of `size` bytes. The last piece, which may be empty, goes to `last`. */
function inChunks(size: number, each: (chunk: Buffer) => Buffer, last: (chunk: Buffer) => Buffer): Transform {
  let waiting: Buffer[] = [];
  let bytes = 0;
  return new Transform({
    transform(data: Buffer, _, done: TransformCallback) {
      waiting.push(data);
      bytes += data.length;
      if (bytes <= size) return done();
      const all = Buffer.concat(waiting, bytes);
      let at = 0;
      try {
        for (; all.length - at > size; at += size) this.push(each(all.subarray(at, at + size)));
      } catch (error) {
        return done(error as Error);
      }
      waiting = [all.subarray(at)];
      bytes = all.length - at;
      done();
    },
    flush(done: TransformCallback) {
      try {
        done(null, last(Buffer.concat(waiting, bytes)));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
