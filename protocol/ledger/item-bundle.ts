import { concatBytes } from '../signing/encoding.ts';
import { byteReader, ED25519, ITEM_LENGTHS } from './data-item.ts';
import { itemIdBytes } from './item-signature.ts';
import { Ans104Error } from './item-tags.ts';

const NUMBER_BYTES = 32;
const ENTRY_BYTES = 2 * NUMBER_BYTES;

/**
 * Whether bytes that are an item or a bundle (ANS-104 §1.2) are a bundle: it begins with the number of its items, 32 bytes of which
 * all but the first two are zero here. In an item these bytes are part of a signature, which cannot be found with such zeroes.
 */
export const isItemBundle = (bytes: Uint8Array): boolean =>
  bytes.byteLength >= NUMBER_BYTES && bytes.subarray(2, NUMBER_BYTES).every((byte) => byte === 0);

/** Packs Ed25519 items in the given order (ANS-104 §1.2). */
export function encodeItemBundle(items: readonly Uint8Array[]): Uint8Array {
  const index = items.flatMap((item) => [numberBytes(item.byteLength), idOf(item)]);
  return concatBytes(numberBytes(items.length), ...index, ...items);
}

/**
 * The items of a bundle, as views of `bytes`. Each must have the id in the index; its content is not checked.
 * @param most the most items that it may have
 * @throws {Ans104Error} if ANS-104 does not allow the bytes
 */
export function decodeItemBundle(bytes: Uint8Array, most: number): Uint8Array[] {
  const read = byteReader(bytes);
  const count = read.number(
    NUMBER_BYTES,
    Math.min(most, Math.floor(bytes.byteLength / ENTRY_BYTES)),
    'number of items',
  );
  const entries = Array.from({ length: count }, () => ({
    size: read.number(NUMBER_BYTES, bytes.byteLength, 'length of an item'),
    id: read.take(NUMBER_BYTES, 'id of an item'),
  }));
  const items = entries.map(({ size, id }, index) => {
    const item = read.take(size, `item ${index}`);
    const actual = idOf(item);
    if (!actual.every((byte, at) => byte === id[at])) {
      throw new Ans104Error(`Item ${index} does not have the id in the bundle's index.`);
    }
    return item;
  });
  if (read.rest().byteLength > 0) throw new Ans104Error('Bytes are left over after the last item.');
  return items;
}

function idOf(item: Uint8Array): Uint8Array {
  const end = 2 + ITEM_LENGTHS[ED25519].signature;
  if (item[0] !== ED25519 || item[1] !== 0 || item.byteLength < end) {
    throw new Ans104Error('An item of the bundle has no Ed25519 signature.');
  }
  return itemIdBytes(item.subarray(2, end));
}

/** 32 bytes, little-endian. */
function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}
