import { constants, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import {
  ANCHOR_BYTES,
  ARWEAVE,
  byteReader,
  ED25519,
  ITEM_LENGTHS as LENGTHS,
  NO_BYTES,
  type ReadItem,
  readItem,
} from '../../protocol/ledger/data-item.ts';
import { Ans104Error, type Tag } from '../../protocol/ledger/item-tags.ts';
import { createSigner, verifyBytes } from '../platform/crypto/ed25519.ts';
import { encodeTags } from './ans104-tags.ts';
import { appendDigest, blobDigest, type Digest, digestBytes, listDigest } from './deep-hash.ts';

/** A data item (ANS-104 §1.3) with its id. The byte fields are views of the parsed bytes. */
export type DataItem = ReadItem & {
  /** 43 characters of base64url: the SHA-256 of the signature. */
  id: string;
  idBytes: Uint8Array;
};

/* 1. Signing ------------------------------------------------------------------------------------------------------ */

/** The part of the deep hash (ANS-104 §2, with the signature type as every implementation has it) before the target. */
function beginMessage(signatureType: number, owner: Uint8Array): Digest {
  return ['dataitem', '1', String(signatureType)]
    .map((text) => blobDigest(Buffer.from(text)))
    .concat(blobDigest(owner))
    .reduce(appendDigest, listDigest(8));
}

export type ItemSigner = {
  /**
   * @param input.anchor 32 bytes, or none.
   * @returns the whole item and its id; the same input gives the same bytes.
   * @throws {Ans104Error} on tags or an anchor that ANS-104 does not allow.
   */
  sign(input: { anchor: Uint8Array; tags: readonly Tag[]; data: Uint8Array }): { id: string; bytes: Buffer };
};

/**
 * Creates data items of signature type 2 (Ed25519) without a target, byte-identical to other ANS-104 implementations.
 * @param publicKey the 32 bytes that belong to `privateKey`.
 */
export function createItemSigner(privateKey: KeyObject, publicKey: Uint8Array): ItemSigner {
  const key = createSigner(privateKey);
  if (!key.publicKey.equals(publicKey)) {
    throw new Ans104Error('The public key does not belong to the Ed25519 private key.');
  }
  const { signature: signatureBytes, owner: ownerBytes } = LENGTHS[ED25519];
  const beginning = appendDigest(beginMessage(ED25519, publicKey), blobDigest(NO_BYTES));
  const beginningWithoutAnchor = appendDigest(beginning, blobDigest(NO_BYTES));
  const anchorAt = 2 + signatureBytes + ownerBytes + 1;
  const head = Buffer.alloc(anchorAt);
  head[0] = ED25519;
  head.set(publicKey, 2 + signatureBytes);

  return {
    sign({ anchor, tags, data }) {
      if (anchor.byteLength !== 0 && anchor.byteLength !== ANCHOR_BYTES) {
        throw new Ans104Error(`An anchor has 32 bytes or none, not ${anchor.byteLength}.`);
      }
      const tagBytes = encodeTags(tags);
      const tagsAt = anchorAt + 1 + anchor.byteLength;
      const dataAt = tagsAt + 16 + tagBytes.byteLength;
      const bytes = Buffer.allocUnsafe(dataAt + data.byteLength);
      bytes.set(head);
      bytes[anchorAt] = anchor.byteLength === 0 ? 0 : 1;
      bytes.set(anchor, anchorAt + 1);
      bytes.fill(0, tagsAt, tagsAt + 16);
      bytes.writeUInt16LE(tags.length, tagsAt);
      bytes.writeUInt16LE(tagBytes.byteLength, tagsAt + 8);
      bytes.set(tagBytes, tagsAt + 16);
      bytes.set(data, dataAt);

      const anchored = anchor.byteLength === 0 ? beginningWithoutAnchor : appendDigest(beginning, blobDigest(anchor));
      const message = appendDigest(appendDigest(anchored, blobDigest(tagBytes)), blobDigest(data));
      const signature = key.sign(digestBytes(message));
      bytes.set(signature, 2);
      return { id: hash('sha256', signature, 'base64url'), bytes };
    },
  };
}

/* 2. Parsing ------------------------------------------------------------------------------------------------------ */

/**
 * Parses one data item that fills `bytes` exactly. Signatures are not checked here: see verifyItem.
 * @throws {Ans104Error} on anything ANS-104 does not allow, and on signature types other than 1 and 2.
 */
export function parseItem(bytes: Uint8Array): DataItem {
  const item = readItem(bytes);
  const idBytes = hash('sha256', item.signature, 'buffer');
  return { ...item, id: idBytes.toString('base64url'), idBytes };
}

/* 3. Verifying ---------------------------------------------------------------------------------------------------- */

const MAX_CACHED_BEGINNINGS = 64;
const beginnings = new Map<string, Digest>();

/** The part of the message that every item of an owner has in common. */
function beginningOf({ signatureType, owner }: DataItem): Digest {
  const encoded = Buffer.from(owner).toString('latin1');
  const known = beginnings.get(encoded);
  if (known) return known;
  const beginning = beginMessage(signatureType, owner);
  if (beginnings.size >= MAX_CACHED_BEGINNINGS) beginnings.clear();
  beginnings.set(encoded, beginning);
  return beginning;
}

/**
 * Whether the item's signature verifies under its owner's key (ANS-104 §2.1). The caller must compare the owner with the
 * expected key: a key of small order verifies anything.
 * @throws {Ans104Error} if the bytes are not a data item.
 */
export function verifyItem(itemOrBytes: DataItem | Uint8Array): boolean {
  const item = itemOrBytes instanceof Uint8Array ? parseItem(itemOrBytes) : itemOrBytes;
  const parts = [item.target, item.anchor, item.tagBytes, item.data];
  const message = digestBytes(parts.map(blobDigest).reduce(appendDigest, beginningOf(item)));
  if (item.signatureType === ED25519) return verifyBytes(item.owner, message, item.signature);
  const key = rsaKey(item.owner);
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return key !== null && verify('sha256', message, { key, ...padding }, item.signature);
}

/** Null if the bytes are not a modulus. */
function rsaKey(modulus: Uint8Array): KeyObject | null {
  try {
    const n = Buffer.from(modulus).toString('base64url');
    return createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
  } catch {
    return null;
  }
}

/* 4. Bundles ------------------------------------------------------------------------------------------------------ */

const COUNT_BYTES = 32;
const ENTRY_BYTES = 64;

/** The size of a bundle of items of these sizes (ANS-104 §1.2). */
export function bundleSize(itemSizes: readonly number[]): number {
  return itemSizes.reduce((total, size) => total + ENTRY_BYTES + size, COUNT_BYTES);
}

/**
 * Packs items in the given order (ANS-104 §1.2).
 * @throws {Ans104Error} if an id does not belong to its item.
 */
export function encodeBundle(items: readonly { id: string; bytes: Uint8Array }[]): Buffer {
  const bundle = Buffer.alloc(bundleSize(items.map((item) => item.bytes.byteLength)));
  bundle.writeUIntLE(items.length, 0, 6);
  let entryAt = COUNT_BYTES;
  let itemAt = COUNT_BYTES + items.length * ENTRY_BYTES;
  for (const [index, { id, bytes }] of items.entries()) {
    if (idOf(bytes, index) !== id) throw new Ans104Error(`Item ${index} does not have the given id.`);
    bundle.writeUIntLE(bytes.byteLength, entryAt, 6);
    bundle.write(id, entryAt + 32, 'base64url');
    bundle.set(bytes, itemAt);
    entryAt += ENTRY_BYTES;
    itemAt += bytes.byteLength;
  }
  return bundle;
}

function idOf(item: Uint8Array, index: number): string {
  const type = item[1] === 0 ? item[0] : undefined;
  if (type !== ARWEAVE && type !== ED25519) throw new Ans104Error(`Item ${index} has an unknown signature type.`);
  const end = 2 + LENGTHS[type].signature;
  if (item.byteLength < end) throw new Ans104Error(`Item ${index} ends before the end of its signature.`);
  return hash('sha256', item.subarray(2, end), 'base64url');
}

/**
 * Parses a bundle. Each id must belong to its item, and no bytes may follow the last item. parseItem checks the content.
 * @returns views of `bytes`, in order.
 * @throws {Ans104Error}
 */
export function parseBundle(bytes: Uint8Array): { id: string; bytes: Uint8Array }[] {
  const read = byteReader(bytes);
  const count = read.number(COUNT_BYTES, Math.floor(bytes.byteLength / ENTRY_BYTES), 'number of items');
  const entries = Array.from({ length: count }, () => ({
    size: read.number(32, bytes.byteLength, 'length of an item'),
    id: Buffer.from(read.take(32, 'id of an item')).toString('base64url'),
  }));
  const items = entries.map(({ size, id }, index) => {
    const item = read.take(size, `item ${index}`);
    if (idOf(item, index) !== id) throw new Ans104Error(`Item ${index} does not have the id in the bundle's index.`);
    return { id, bytes: item };
  });
  if (read.rest().byteLength > 0) throw new Ans104Error('Bytes are left over after the last item.');
  return items;
}
