import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/**
 * An append-only file of little-endian records; `length` counts the bytes after the checksum:
 *     length u32 · CRC-32 u32 · header length u32 · header (JSON) · body
 * An incomplete or corrupt record at the end of the file was never acknowledged, and is dropped.
 */
export type Journal = {
  /**
   * Queues a record and returns its offset; `durable` resolves when the record is on disk.
   * @throws {JournalError} after a failed write, until the records that were refused then are on disk
   */
  append(header: object, body?: Uint8Array): { at: number; durable: Promise<void> };
  /** Resolves when all records up to and including the one at this offset are on disk. */
  settled(at: number): Promise<void>;
  header(at: number): Promise<unknown>;
  /** The body of the record at this offset. */
  body(at: number): Promise<Buffer>;
  close(): Promise<void>;
};

export class JournalError extends Error {
  override readonly name = 'JournalError';
}

const MAGIC = Buffer.from('perpdev1');
const PREFIX = 12;
const MAX_RECORD = 32 * 1024 * 1024;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_BATCH_RECORDS = 512;
const READ_AHEAD = 1024 * 1024;

type Queued = { bytes: Buffer[]; size: number; resolve: () => void; reject: (error: unknown) => void };

/**
 * Opens or creates a journal and passes every record to `onRecord`, in order.
 * @throws {JournalError} if the file is not a journal or has damage that a crash cannot cause
 */
export async function openJournal(
  path: string,
  onRecord: (record: { at: number; header: unknown }) => void,
): Promise<Journal & { cutBytes: number }> {
  const file = await open(path, 'a+').then(async (created) => {
    await created.close();
    return open(path, 'r+');
  });
  try {
    const { end, cutBytes } = await replay(file, path, onRecord);
    return { ...writer(file, path, end), cutBytes };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/* Reading --------------------------------------------------------------------------------------------------------- */

async function replay(file: FileHandle, path: string, onRecord: (record: { at: number; header: unknown }) => void) {
  const { size } = await file.stat();
  const window = windowOver(file, size);
  const magic = await window(0, Math.min(size, MAGIC.length));
  if (!magic.equals(MAGIC.subarray(0, magic.length))) throw new JournalError(`${path} is not a devnet journal.`);
  if (magic.length < MAGIC.length) {
    await file.truncate(0);
    await file.write(MAGIC, 0, MAGIC.length, 0);
    await file.datasync();
    return { end: MAGIC.length, cutBytes: magic.length };
  }
  let at = MAGIC.length;
  while (at < size) {
    const next = await readRecord(window, at, size);
    if (!next) break;
    onRecord({ at, header: next.header });
    at = next.end;
  }
  const cutBytes = size - at;
  // A crash leaves at most one incomplete batch. More than that is damage.
  if (cutBytes > MAX_RECORD) {
    throw new JournalError(
      `${path} is damaged at byte ${at}: ${cutBytes} bytes follow a record with a wrong checksum.`,
    );
  }
  if (cutBytes > 0) {
    await file.truncate(at);
    await file.datasync();
  }
  return { end: at, cutBytes };
}

type Window = (at: number, length: number) => Promise<Buffer>;

async function readRecord(window: Window, at: number, size: number) {
  if (at + PREFIX > size) return undefined;
  const prefix = await window(at, PREFIX);
  const length = prefix.readUInt32LE(0);
  const checksum = prefix.readUInt32LE(4);
  const end = at + 8 + length;
  if (length < 4 || length > MAX_RECORD || end > size) return undefined;
  const payload = await window(at + 8, length);
  if (crc32(payload) !== checksum) return undefined;
  const headerLength = payload.readUInt32LE(0);
  return { header: JSON.parse(payload.toString('utf8', 4, 4 + headerLength)) as unknown, end };
}

/** Reads forward through the file in large blocks. A returned buffer is valid until the next call. */
function windowOver(file: FileHandle, size: number): Window {
  let buffer: Buffer = Buffer.alloc(0);
  let start = 0;
  return async (at, length) => {
    if (at < start || at + length > start + buffer.length) {
      start = at;
      buffer = await readFully(file, at, Math.min(Math.max(length, READ_AHEAD), size - at));
    }
    return buffer.subarray(at - start, at - start + length);
  };
}

async function readFully(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) throw new JournalError(`The journal ends before byte ${at + length}.`);
    filled += bytesRead;
  }
  return buffer;
}

/* Writing --------------------------------------------------------------------------------------------------------- */

function writer(file: FileHandle, path: string, begin: number): Journal {
  let written = begin;
  let end = begin;
  let queue: Queued[] = [];
  let flushing: Promise<void> | undefined;
  let failure: JournalError | undefined;

  /**
   * Records queued during a flush share the next write and fsync. After a failed write, its records stay first in the
   * queue: the chain in memory already has them.
   */
  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        await writeBatch(batch);
      } catch (error) {
        failure = new JournalError(`${path} cannot be written: ${(error as Error).message}.`);
        queue = [...batch, ...queue];
        for (const { reject } of queue) reject(failure);
        break;
      }
      failure = undefined;
      for (const { resolve } of batch) resolve();
    }
    flushing = undefined;
  }

  /** Starts a flush, unless one runs. */
  function startFlush(): void {
    flushing ??= Promise.resolve().then(flush);
  }

  function takeBatch(): Queued[] {
    let size = 0;
    let count = 0;
    for (const { size: bytes } of queue) {
      if (count > 0 && (size + bytes > MAX_BATCH_BYTES || count === MAX_BATCH_RECORDS)) break;
      size += bytes;
      count++;
    }
    return queue.splice(0, count);
  }

  async function writeBatch(batch: Queued[]): Promise<void> {
    const { size } = await file.stat();
    if (size !== written) throw new Error('another process also writes to it');
    let parts = batch.flatMap(({ bytes }) => bytes);
    let position = written;
    try {
      while (parts.length > 0) {
        const { bytesWritten } = await file.writev(parts, position);
        position += bytesWritten;
        parts = withoutFirst(parts, bytesWritten);
      }
      await file.datasync();
    } catch (error) {
      // The next attempt writes all of it again, because a failed fsync may have dropped any part.
      await file.truncate(written).catch(() => undefined);
      throw error;
    }
    written = position;
  }

  async function settled(at: number): Promise<void> {
    while (at >= written && flushing && !failure) await flushing;
    if (failure && at >= written) throw failure;
  }

  return {
    append(header, body = Buffer.alloc(0)) {
      if (failure) {
        startFlush();
        throw failure;
      }
      const { bytes, size } = encodeRecord(header, body);
      const at = end;
      end += size;
      const durable = new Promise<void>((resolve, reject) => queue.push({ bytes, size, resolve, reject }));
      startFlush();
      return { at, durable };
    },
    settled,
    async header(at) {
      await settled(at);
      const prefix = await readFully(file, at, PREFIX);
      return JSON.parse((await readFully(file, at + PREFIX, prefix.readUInt32LE(8))).toString());
    },
    async body(at) {
      await settled(at);
      const prefix = await readFully(file, at, PREFIX);
      const headerLength = prefix.readUInt32LE(8);
      return readFully(file, at + PREFIX + headerLength, prefix.readUInt32LE(0) - 4 - headerLength);
    },
    async close() {
      await flushing;
      await file.close();
    },
  };
}

function encodeRecord(header: object, body: Uint8Array): { bytes: Buffer[]; size: number } {
  const json = Buffer.from(JSON.stringify(header));
  const length = 4 + json.length + body.byteLength;
  if (length > MAX_RECORD) throw new JournalError(`A record of ${length} bytes is larger than ${MAX_RECORD}.`);
  const front = Buffer.allocUnsafe(PREFIX + json.length);
  front.writeUInt32LE(length, 0);
  front.writeUInt32LE(json.length, 8);
  front.set(json, PREFIX);
  const content = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const checksum = crc32(front.subarray(8));
  // crc32 of an empty buffer ignores the start value.
  front.writeUInt32LE(content.length > 0 ? crc32(content, checksum) : checksum, 4);
  return { bytes: content.length > 0 ? [front, content] : [front], size: 8 + length };
}

function withoutFirst(parts: Buffer[], count: number): Buffer[] {
  let remaining = count;
  const rest: Buffer[] = [];
  for (const part of parts) {
    if (remaining < part.length) rest.push(part.subarray(remaining));
    remaining = Math.max(0, remaining - part.length);
  }
  return rest;
}
