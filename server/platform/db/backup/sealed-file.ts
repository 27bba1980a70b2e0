import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { decryptStream, encryptStream, STREAM_HEADER_BYTES } from '../../crypto/secret-stream.ts';

const MAGIC = Buffer.from('perpetua backup 1\n');
const KEY_ID_BYTES = 8;
const TIME_BYTES = 8;
const PREAMBLE_BYTES = MAGIC.length + KEY_ID_BYTES + TIME_BYTES;

/** A backup or one of its files cannot be used; the message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Recognises a key without revealing it: the first 8 bytes of a hash of it. */
export const keyIdOf = (key: Buffer): Buffer =>
  createHash('sha256').update('perpetua backup key\n').update(key).digest().subarray(0, KEY_ID_BYTES);

/**
 * Compresses, encrypts and syncs a stream into a new file. The file is bound to its name and time: renamed, it cannot be read.
 * @param name the path that the file is bound to, with the database that it belongs to
 * @param at milliseconds since 1970
 */
export async function sealFile(
  path: string,
  { key, name, at }: { readonly key: Buffer; readonly name: string; readonly at: number },
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(Math.round(at)));
  const preamble = Buffer.concat([MAGIC, keyIdOf(key), time]);
  const { header, stream } = encryptStream(key, associatedWith(preamble, name));
  const file = await open(path, 'wx', 0o600);
  try {
    await file.write(Buffer.concat([preamble, header]));
    // Not an async function, whose error the pipeline would report as an abortion.
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => void file.writeFile(chunk).then(() => done(), done),
    });
    await pipeline(Readable.from(content), createGzip({ level: constants.Z_BEST_SPEED }), stream, sink);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

const associatedWith = (preamble: Buffer, name: string): Buffer => Buffer.concat([preamble, Buffer.from(name)]);

/** Whether a sealed file is encrypted with this key. @throws {BackupError} if it is no such file */
export async function isSealedWith(path: string, key: Buffer): Promise<boolean> {
  const file = await openToRead(path);
  try {
    return isOfKey((await readHead(file, path)).preamble, key);
  } finally {
    await file.close();
  }
}

const isOfKey = (preamble: Buffer, key: Buffer): boolean =>
  preamble.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES).equals(keyIdOf(key));

/** The time of a sealed file in ms, which is authenticated only once the file has been read. @throws {BackupError} */
export async function timeOfSealed(path: string): Promise<number> {
  const file = await openToRead(path);
  try {
    const { preamble } = await readHead(file, path);
    return Number(preamble.readBigUInt64BE(MAGIC.length + KEY_ID_BYTES));
  } finally {
    await file.close();
  }
}

/**
 * The content of a sealed file.
 * @throws {BackupError} if it is missing, truncated, altered, of another name, or encrypted with another key
 */
export async function* openSealed(path: string, key: Buffer, name: string): AsyncGenerator<Buffer> {
  const file = await openToRead(path);
  let streams: { readonly content: Readable; readonly done: Promise<void> };
  try {
    const { preamble, header } = await readHead(file, path);
    if (!isOfKey(preamble, key)) {
      throw new BackupError(`${path} is encrypted with another backup key: give the key that it was made with.`);
    }
    const content = createGunzip();
    const input = createReadStream(path, { start: PREAMBLE_BYTES + STREAM_HEADER_BYTES });
    const done = pipeline(input, decryptStream(key, header, associatedWith(preamble, name)), content);
    done.catch(() => undefined);
    streams = { content, done };
  } finally {
    await file.close();
  }
  try {
    for await (const chunk of streams.content) yield chunk as Buffer;
    await streams.done;
  } catch (error) {
    throw new BackupError(
      `${path} was altered or truncated, or is of another backup (${(error as Error).message.replace(/\.$/, '')}).`,
    );
  } finally {
    streams.content.destroy();
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${path} ${error.code === 'ENOENT' ? 'is missing' : `cannot be read (${error.code})`}.`);
  });
}

async function readHead(file: FileHandle, path: string) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PREAMBLE_BYTES + STREAM_HEADER_BYTES), 0);
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, Math.min(bytesRead, MAGIC.length)))) {
    throw new BackupError(`${path} is not a file of a backup, or of a later version.`);
  }
  if (bytesRead < buffer.length) throw new BackupError(`${path} was truncated.`);
  return { preamble: buffer.subarray(0, PREAMBLE_BYTES), header: buffer.subarray(PREAMBLE_BYTES) };
}
