import { constants, createPublicKey, hash, verify } from 'node:crypto';
import { z } from 'zod';
import { type SignedTransaction, signatureMessage, splitData } from './arweave-transaction.ts';

export const base64url = z.string().regex(/^[A-Za-z0-9_-]*$/);
export const bytes = (...lengths: number[]) =>
  base64url.refine((text) => lengths.includes(Buffer.from(text, 'base64url').length), {
    message: `must be base64url of ${lengths.join(' or ')} bytes`,
  });
export const decimal = z.string().regex(/^(0|[1-9]\d{0,24})$/);

/** A transaction of format 2 as nodes return it, without its data. Its signature is not checked. */
export const signedTransactionShape = z.object({
  format: z.literal(2),
  id: bytes(32),
  last_tx: bytes(48),
  owner: bytes(512),
  tags: z.array(z.object({ name: base64url, value: base64url })).max(128),
  target: bytes(0, 32),
  quantity: decimal,
  data_size: decimal,
  data_root: bytes(0, 32),
  reward: decimal,
  signature: bytes(512),
});

/** Why a transaction is not signed by its owner, as the end of a sentence; undefined if it is. */
export async function signatureProblem(transaction: SignedTransaction): Promise<string | undefined> {
  const signature = Buffer.from(transaction.signature, 'base64url');
  if (hash('sha256', signature, 'base64url') !== transaction.id) return 'the id is not the hash of the signature';
  const message = Buffer.from(await signatureMessage(transaction));
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  try {
    const key = createPublicKey({ key: { kty: 'RSA', n: transaction.owner, e: 'AQAB' }, format: 'jwk' });
    if (verify('sha256', message, { key, ...pss }, signature)) return undefined;
  } catch {
    return 'the owner is not a public key';
  }
  return "the signature is not the owner's";
}

/** Whether bytes match the signed data_root of a transaction. */
export async function isDataOf(transaction: SignedTransaction, data: Uint8Array): Promise<boolean> {
  if (transaction.data_size !== String(data.byteLength)) return false;
  return (await splitData(data)).dataRoot === transaction.data_root;
}
