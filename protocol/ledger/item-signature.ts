import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { verifySignature } from '../signing/ed25519.ts';
import { bytesToHex, concatBytes, toBase64Url, utf8ToBytes } from '../signing/encoding.ts';
import { NO_BYTES } from './data-item.ts';

/** The deep hash (SHA-384) of one byte string, 48 bytes, as Arweave and ANS-104 §2 define it. */
export const blobDigestOf = (bytes: Uint8Array): Uint8Array =>
  sha384(concatBytes(sha384(utf8ToBytes(`blob${bytes.byteLength}`)), sha384(bytes)));

/** The fields that an Ed25519 signature of an item without a target covers; tags and data as digests. */
export interface Signed {
  /** Hex. */
  readonly owner: string;
  /** 32 bytes. */
  readonly anchor: Uint8Array;
  /** Made by blobDigestOf, like dataDigest. */
  readonly tagsDigest: Uint8Array;
  readonly dataDigest: Uint8Array;
}

/** The 48 bytes that the owner of a data item signs (ANS-104 §2). For the browser; server/ledger has a faster version. */
export function itemDigest({ owner, anchor, tagsDigest, dataDigest }: Signed): Uint8Array {
  const named = ['dataitem', '1', '2'].map((text) => blobDigestOf(utf8ToBytes(text)));
  const ownerDigest = blobDigestOf(Uint8Array.from(owner.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
  return [...named, ownerDigest, blobDigestOf(NO_BYTES), blobDigestOf(anchor), tagsDigest, dataDigest].reduce(
    (digest, part) => sha384(concatBytes(digest, part)),
    sha384(utf8ToBytes('list8')),
  );
}

/** Whether the 64 bytes are the owner's signature. The caller must check that the owner is the expected key. */
export const isItemSignature = (signed: Signed, signature: Uint8Array): boolean =>
  verifySignature(signed.owner, itemDigest(signed), signature);

/** The id of a data item with this signature: its SHA-256 as 43 characters of base64url (ANS-104). */
export const itemId = (signature: Uint8Array): string => toBase64Url(itemIdBytes(signature));

/** The 32 bytes of this id. */
export const itemIdBytes = (signature: Uint8Array): Uint8Array => sha256(signature);

/** 32 bytes: SHA-256 of ASCII text. */
export const textDigest = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/** Hex SHA-256 of bytes. */
export const hexDigest = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));
