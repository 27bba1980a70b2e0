/** A tag of a data item; name and value are encoded in UTF-8. */
export type Tag = { name: string; value: string };

/** Bytes that violate ANS-104; the message is a sentence that names the place. */
export class Ans104Error extends Error {
  override readonly name = 'Ans104Error';
}

export const MAX_TAGS = 128;
export const MAX_NAME_BYTES = 1_024;
export const MAX_VALUE_BYTES = 3_072;
export const MAX_TAG_BYTES = 4_096;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a zigzag varint. Five bytes are enough for every length in 4 096 bytes of tags. */
function readLong(bytes: Uint8Array, at: number): { value: number; next: number } {
  let raw = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new Ans104Error('The tags end in the middle of a length.');
    raw += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      if (byte === 0 && index > 0) throw new Ans104Error('A length in the tags is not encoded in the fewest bytes.');
      return { value: raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2, next: at + index + 1 };
    }
  }
  throw new Ans104Error('A length in the tags has more than five bytes.');
}

function readText(bytes: Uint8Array, at: number, limit: number): { text: string; next: number } {
  const { value: length, next: start } = readLong(bytes, at);
  if (length <= 0) throw new Ans104Error('A tag has an empty name or value, or one of negative length.');
  if (length > limit) throw new Ans104Error(`A tag has a name or value of ${length} bytes; ${limit} are allowed.`);
  const end = start + length;
  if (end > bytes.byteLength) throw new Ans104Error('A tag reaches beyond the end of the tags.');
  try {
    return { text: strictUtf8.decode(bytes.subarray(start, end)), next: end };
  } catch {
    throw new Ans104Error('A tag is not valid UTF-8.');
  }
}

/**
 * Decodes `count` tags that must fill `bytes` exactly. Also accepts Avro blocks with byte sizes.
 * @throws {Ans104Error} on anything else
 */
export function decodeTags(bytes: Uint8Array, count: number): Tag[] {
  if (count > MAX_TAGS) throw new Ans104Error(`The item announces ${count} tags; ${MAX_TAGS} are allowed.`);
  if (bytes.byteLength > MAX_TAG_BYTES) {
    throw new Ans104Error(`The tags take ${bytes.byteLength} bytes; ${MAX_TAG_BYTES} are allowed.`);
  }
  const tags: Tag[] = [];
  if (bytes.byteLength === 0 && count === 0) return tags;
  let position = 0;
  while (true) {
    const block = readLong(bytes, position);
    position = block.next;
    if (block.value === 0) break;
    const size = block.value < 0 ? readLong(bytes, position) : undefined;
    const start = size?.next ?? position;
    position = start;
    for (let left = Math.abs(block.value); left > 0; left--) {
      if (tags.length === count) throw new Ans104Error(`There are more tags than the ${count} announced.`);
      const name = readText(bytes, position, MAX_NAME_BYTES);
      const value = readText(bytes, name.next, MAX_VALUE_BYTES);
      tags.push({ name: name.text, value: value.text });
      position = value.next;
    }
    if (size && start + size.value !== position) throw new Ans104Error('The size of a block of tags is wrong.');
  }
  if (tags.length !== count) throw new Ans104Error(`There are ${tags.length} tags, but ${count} are announced.`);
  if (position !== bytes.byteLength) throw new Ans104Error('Bytes are left over after the tags.');
  return tags;
}
