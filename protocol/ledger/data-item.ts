import { Ans104Error, decodeTags, MAX_TAG_BYTES, type Tag } from './item-tags.ts';

/** Signature types of ANS-104 §2. */
export const ARWEAVE = 1;
export const ED25519 = 2;
/** Lengths in bytes, by signature type. */
export const ITEM_LENGTHS = {
  [ARWEAVE]: { signature: 512, owner: 512 },
  [ED25519]: { signature: 64, owner: 32 },
} as const;
export const ANCHOR_BYTES = 32;
export const NO_BYTES = new Uint8Array(0);

/** A data item (ANS-104 §1.3). The byte fields are views of the bytes it was read from. */
export type ReadItem = {
  /** 1 Arweave (RSA-PSS 4096), 2 Ed25519. */
  signatureType: 1 | 2;
  signature: Uint8Array;
  owner: Uint8Array;
  /** 32 bytes, or none. */
  target: Uint8Array;
  /** 32 bytes, or none. */
  anchor: Uint8Array;
  tags: Tag[];
  /** The encoded tags, which the signature covers. */
  tagBytes: Uint8Array;
  data: Uint8Array;
};

/** Reads fields in order. @throws {Ans104Error} at the end of the bytes */
export function byteReader(bytes: Uint8Array) {
  let position = 0;
  const take = (length: number, what: string): Uint8Array => {
    if (length > bytes.byteLength - position) throw new Ans104Error(`The bytes end before the end of the ${what}.`);
    position += length;
    return bytes.subarray(position - length, position);
  };
  return {
    take,
    rest: () => take(bytes.byteLength - position, 'data'),
    /** A little-endian number of `length` bytes, at most `limit`. */
    number(length: number, limit: number, what: string): number {
      const field = take(length, what);
      const value = field.subarray(0, 6).reduceRight((sum, byte) => sum * 256 + byte, 0);
      if (value > limit || field.subarray(6).some((byte) => byte !== 0)) {
        throw new Ans104Error(`The ${what} is larger than ${limit}.`);
      }
      return value;
    },
    optional(length: number, what: string): Uint8Array {
      const presence = take(1, what)[0];
      if (presence === 0) return NO_BYTES;
      if (presence !== 1) throw new Ans104Error(`The presence byte of the ${what} is ${presence}, not 0 or 1.`);
      return take(length, what);
    },
  };
}

/**
 * Reads one data item that fills `bytes` exactly. It neither hashes nor verifies.
 * @throws {Ans104Error} if ANS-104 does not allow the bytes, and for signature types other than 1 and 2
 */
export function readItem(bytes: Uint8Array): ReadItem {
  const read = byteReader(bytes);
  const signatureType = read.number(2, 0xffff, 'signature type');
  if (signatureType !== ARWEAVE && signatureType !== ED25519) {
    throw new Ans104Error(`Signature type ${signatureType} is not one of 1 (Arweave) and 2 (Ed25519).`);
  }
  const signature = read.take(ITEM_LENGTHS[signatureType].signature, 'signature');
  const owner = read.take(ITEM_LENGTHS[signatureType].owner, 'owner');
  const target = read.optional(32, 'target');
  const anchor = read.optional(ANCHOR_BYTES, 'anchor');
  const tagCount = read.number(8, 128, 'number of tags');
  const tagBytes = read.take(read.number(8, MAX_TAG_BYTES, 'length of the tags'), 'tags');
  const tags = decodeTags(tagBytes, tagCount);
  return { signatureType, signature, owner, target, anchor, tags, tagBytes, data: read.rest() };
}
