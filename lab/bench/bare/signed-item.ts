import { generateKeyPairSync, hash, sign } from 'node:crypto';

export interface SignedItem {
  readonly id: string;
  readonly bytes: Buffer;
}

const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 2 + SIGNATURE_BYTES + 32 + 1 + 1 + 32 + 16;

const sha384 = (bytes: Uint8Array): Buffer => hash('sha384', bytes, 'buffer');

/** Signs items that have the size of ANS-104 data items and need as many hashes. They are not data items: nothing reads them. */
export function createItemSigner(): (anchor: string, tags: Buffer, data: Buffer) => SignedItem {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pair = Buffer.alloc(96);
  const join = (left: Buffer, right: Buffer): Buffer => {
    pair.set(left);
    pair.set(right, 48);
    return sha384(pair);
  };
  const listTag = sha384(Buffer.from('list8'));
  const blobTag = sha384(Buffer.from('blob'));

  return (anchor, tags, data) => {
    const anchorBytes = hash('sha256', anchor, 'buffer');
    let message = listTag;
    for (const part of [anchorBytes, tags, data]) message = join(message, join(blobTag, sha384(part)));
    const signature = sign(null, message, privateKey);
    const bytes = Buffer.concat([Buffer.alloc(HEAD_BYTES), tags, data]);
    bytes.set(signature, 2);
    return { id: hash('sha256', signature, 'base64url'), bytes };
  };
}

export const itemTags = (functionName: string, entityId: string, seq: number): Buffer =>
  Buffer.from(
    `App-Name Perpetua App-Version 1 Content-Type application/json Function ${functionName} Entity-Id ${entityId} Seq ${seq}`,
  );

/** A digest in the form of a UUID. */
export const uuidOf = (text: string): string =>
  hash('sha1', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
