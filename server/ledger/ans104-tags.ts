import {
  Ans104Error,
  MAX_NAME_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  MAX_VALUE_BYTES,
  type Tag,
} from '../../protocol/ledger/item-tags.ts';

const scratch = Buffer.alloc(MAX_TAG_BYTES);

function writeLong(value: number, at: number): number {
  let rest = value * 2;
  let position = at;
  while (rest > 0x7f) {
    scratch[position++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  scratch[position++] = rest;
  return position;
}

function writeText(text: string, limit: number, at: number): number {
  const length = Buffer.byteLength(text);
  if (length === 0) throw new Ans104Error('A tag has an empty name or value.');
  if (length > limit) throw new Ans104Error(`A tag has a name or value of ${length} bytes; ${limit} are allowed.`);
  if (!text.isWellFormed()) throw new Ans104Error('A tag has a lone surrogate, which UTF-8 cannot carry.');
  const start = writeLong(length, at);
  if (start + length >= MAX_TAG_BYTES) throw new Ans104Error(`The tags are longer than ${MAX_TAG_BYTES} bytes.`);
  scratch.write(text, start, length, 'utf8');
  return start + length;
}

/**
 * Encodes tags as ANS-104 does (an Avro array of records, zigzag lengths); no tags are no bytes.
 * @throws {Ans104Error} on more than 128 tags, an empty or over-long name or value, or more than 4 096 bytes in all.
 */
export function encodeTags(tags: readonly Tag[]): Uint8Array {
  if (tags.length === 0) return new Uint8Array(0);
  if (tags.length > MAX_TAGS) throw new Ans104Error(`There are ${tags.length} tags; ${MAX_TAGS} are allowed.`);
  let position = writeLong(tags.length, 0);
  for (const tag of tags) {
    position = writeText(tag.name, MAX_NAME_BYTES, position);
    position = writeText(tag.value, MAX_VALUE_BYTES, position);
  }
  position = writeLong(0, position);
  return new Uint8Array(scratch.subarray(0, position));
}
