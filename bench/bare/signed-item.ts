import { generateKeyPairSync, hash, sign } from 'node:crypto';

export interface SignedItem {
  readonly id: string;
  readonly bytes: Buffer;
}

const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 2 + SIGNATURE_BYTES + 32 + 1 + 1 + 32 + 16;

const sha384 = (bytes: Uint8Array): Buffer => hash('sha384', bytes, 'buffer');

/**
 * Makes items of the size of ANS-104's and with as many hashes and as long, so that they cost what a data item must cost.
 * They are not data items: nothing reads them.
 */
export function createItemSigner(): (anchor: string, tags: Buffer, data: Buffer) => SignedItem {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pair = Buffer.alloc(96);
  const join = (left: Buffer, right: Buffer): Buffer => {
    pair.set(left);
    pair.set(right, 48);
    return sha384(pair);
  };
  const beginning = sha384(Buffer.from('list8'));
  const length = sha384(Buffer.from('blob'));

  return (anchor, tags, data) => {
    const anchorBytes = hash('sha256', anchor, 'buffer');
    let message = beginning;
    for (const part of [anchorBytes, tags, data]) message = join(message, join(length, sha384(part)));
    const signature = sign(null, message, privateKey);
    const bytes = Buffer.concat([Buffer.alloc(HEAD_BYTES), tags, data]);
    bytes.set(signature, 2);
    return { id: hash('sha256', signature, 'base64url'), bytes };
  };
}
