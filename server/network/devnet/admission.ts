import { hash } from 'node:crypto';
import { validatePath } from 'arweave/node/lib/merkle.js';
import { z } from 'zod';
import { CHUNK_BYTES, type SignedTransaction, splitData } from '../arweave-transaction.ts';
import { base64url, bytes, decimal, signatureProblem, signedTransactionShape } from '../signed-transaction.ts';
import { walletAddress } from '../wallet.ts';
import type { Chain } from './devnet-chain.ts';
import { priceOf } from './price.ts';
import type { WeaveData } from './weave-data.ts';

const MAX_TAG_BYTES = 2_048;
const MAX_DATA_BYTES = 64 * 1024 * 1024;

const transactionShape = signedTransactionShape.extend({ data: z.string().default('') });

const chunkShape = z.object({
  data_root: bytes(32),
  data_size: decimal,
  data_path: base64url.max(CHUNK_BYTES),
  offset: decimal,
  chunk: z.string(),
});

export type Refused = { refused: string };

/** Validates a posted transaction as a node would. `known`: the chain already has it. `refused`: the error message. */
export async function validateTransaction(
  chain: Chain,
  posted: unknown,
): Promise<{ transaction: SignedTransaction; data: Buffer } | { known: string } | Refused> {
  const parsed = transactionShape.safeParse(posted);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { refused: `Invalid transaction: ${issue?.path.join('.')} ${issue?.message}.` };
  }
  const { data: encoded, ...transaction } = parsed.data;
  if (chain.transaction(transaction.id)) return { known: transaction.id };
  const data = Buffer.from(encoded, 'base64url');
  const refused =
    (await refusedSignature(transaction)) ?? (await dataProblem(transaction, data)) ?? chainProblem(chain, transaction);
  return refused === undefined ? { transaction, data } : { refused };
}

async function refusedSignature(transaction: SignedTransaction): Promise<string | undefined> {
  const problem = await signatureProblem(transaction);
  return problem && `Transaction verification failed: ${problem}.`;
}

async function dataProblem(transaction: SignedTransaction, data: Buffer): Promise<string | undefined> {
  const size = Number(transaction.data_size);
  if (size > MAX_DATA_BYTES) return `Transaction verification failed: more than ${MAX_DATA_BYTES} bytes of data.`;
  if ((size === 0) !== (transaction.data_root === '')) {
    return 'Transaction verification failed: data_size and data_root disagree.';
  }
  if (data.length > 0 && data.length !== size)
    return 'Transaction verification failed: data_size is not the size of the data.';
  if (data.length > 0 && (await splitData(data)).dataRoot !== transaction.data_root) {
    return 'Transaction verification failed: data_root is not the root of the data.';
  }
  const tagBytes = transaction.tags.reduce(
    (total, { name, value }) => total + Math.floor(((name.length + value.length) * 3) / 4),
    0,
  );
  if (tagBytes > MAX_TAG_BYTES) return `Transaction verification failed: more than ${MAX_TAG_BYTES} bytes of tags.`;
  return undefined;
}

function chainProblem(chain: Chain, { last_tx, owner, reward, quantity, data_size }: SignedTransaction) {
  if (!chain.anchorIsAlive(last_tx)) return 'Invalid anchor (last_tx).';
  const price = priceOf(Number(data_size));
  if (BigInt(reward) < price) return `Transaction verification failed: the reward is below the price of ${price}.`;
  if (chain.spendable(walletAddress({ n: owner })) < BigInt(reward) + BigInt(quantity)) {
    return 'Waiting TXs exceed balance for wallet.';
  }
  return undefined;
}

/** Validates a posted chunk and its proof. `refused`: the error code that a node returns. */
export async function validateChunk(
  weave: WeaveData,
  posted: unknown,
): Promise<{ dataRoot: string; dataSize: number; start: number; bytes: Buffer } | Refused> {
  const parsed = chunkShape.safeParse(posted);
  if (!parsed.success) return { refused: 'invalid_json' };
  const { data_root: dataRoot, data_size, data_path, offset, chunk } = parsed.data;
  const dataSize = Number(data_size);
  const bytes = Buffer.from(chunk, 'base64url');
  if (bytes.length > CHUNK_BYTES) return { refused: 'chunk_too_big' };
  if (!weave.expects(dataRoot, dataSize)) return { refused: 'data_root_not_found' };
  const root = Buffer.from(dataRoot, 'base64url');
  const path = Buffer.from(data_path, 'base64url');
  const place = await validatePath(root, Number(offset), 0, dataSize, path);
  const leaf = path.subarray(-64, -32);
  if (!place || place.chunkSize !== bytes.length || !hash('sha256', bytes, 'buffer').equals(leaf)) {
    return { refused: 'invalid_proof' };
  }
  return { dataRoot, dataSize, start: place.leftBound, bytes };
}
