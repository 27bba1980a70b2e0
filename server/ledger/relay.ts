import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { ArweaveClient } from '../network/arweave-client.ts';
import { signTransaction, type Wallet } from '../network/wallet.ts';
import { bundleSize, encodeBundle } from './ans104.ts';
import {
  type BundleRow,
  bytesPreparedToday,
  insertBundle,
  markPosted,
  type PreparedBundle,
  replaceBundle,
  signedTransaction,
} from './bundle-rows.ts';
import { itemsBetween, type StoredItem, unbundledItems } from './entries.ts';
import { pauseProblem, readPause } from './pause.ts';

/** One Arweave chunk, which costs the same for one operation as when full. */
export const MAX_BUNDLE_BYTES = 256 * 1024;
/** A transaction whose anchor is older than this many blocks can no longer be mined. */
const ANCHOR_LIFE_BLOCKS = 50;
/** A margin, because a reorganisation can shorten the chain. */
const ANCHOR_MARGIN_BLOCKS = 10;
export const MAX_ITEMS = 1_024;

export interface RelayParts {
  readonly pool: Pool;
  readonly client: ArweaveClient;
  readonly wallet: Wallet;
  readonly maxAgeMs: number;
  readonly maxWinston: bigint;
  readonly dailyBytes: number;
  /** A bundle was posted for the first time; the delay is the wait of its oldest entry. */
  readonly onPosted?: (bundle: { readonly operations: number; readonly delaySeconds: number }) => void;
}

/** Entries cannot be posted at the moment; /ready shows the message. */
export class PostingBlocked extends Error {}

/**
 * Bundles the oldest entries without a bundle, signs and stores the transaction, and then posts it. Entries wait for a
 * full bundle, but no longer than `maxAgeMs`.
 * @returns the number of posted entries; 0 if no bundle is due.
 * @throws {PostingBlocked | GatewayError} if an operator, the network, the price, the wallet or the budget does not allow it.
 */
export async function relayNext(parts: RelayParts): Promise<number> {
  const waiting = await unbundledItems(parts.pool, MAX_ITEMS);
  const count = countFitting(waiting.map(({ bytes }) => bytes));
  const [oldest, newest] = [waiting[0], waiting[count - 1]];
  if (!oldest || !newest) return 0;
  const full = count < waiting.length || count === MAX_ITEMS;
  if (!full && oldest.age_seconds * 1000 < parts.maxAgeMs) return 0;
  const packed = await itemsBetween(parts.pool, oldest.seq, newest.seq);
  const data = bundleOf(packed);
  const prepared = await prepare(parts, packed, data);
  await insertBundle(parts.pool, prepared);
  const packedAt = performance.now();
  await post(parts, prepared, data);
  const delaySeconds = oldest.age_seconds + (performance.now() - packedAt) / 1000;
  parts.onPosted?.({ operations: count, delaySeconds });
  return count;
}

/** Milliseconds until the oldest entry without a bundle is due, if no bundle is full before; null if there is no such entry. */
export async function nextBundleIn({ pool, maxAgeMs }: Pick<RelayParts, 'pool' | 'maxAgeMs'>): Promise<number | null> {
  const [oldest] = await unbundledItems(pool, 1);
  return oldest ? Math.max(1, Math.ceil(maxAgeMs - oldest.age_seconds * 1000)) : null;
}

/** How many items of these sizes fit into one bundle; at least one. */
function countFitting(sizes: readonly number[]): number {
  let bytes = bundleSize([]);
  const overflow = sizes.findIndex((size, index) => {
    bytes += bundleSize([size]) - bundleSize([]);
    return index > 0 && bytes > MAX_BUNDLE_BYTES;
  });
  return overflow < 0 ? sizes.length : overflow;
}

/** Signs a new transaction for the entries of one that can no longer be mined. */
export async function repack(parts: RelayParts, bundle: BundleRow): Promise<void> {
  const items = await itemsBetween(parts.pool, bundle.first_seq, bundle.last_seq);
  const data = bundleOf(items);
  const prepared = await prepare(parts, items, data);
  await replaceBundle(parts.pool, bundle.l1_tx, prepared);
  await post(parts, prepared, data);
}

export const anchorExpired = (bundle: BundleRow, height: number): boolean =>
  height > bundle.anchor_height + ANCHOR_LIFE_BLOCKS + ANCHOR_MARGIN_BLOCKS;

const bundleOf = (items: readonly StoredItem[]): Buffer =>
  encodeBundle(items.map(({ id, item }) => ({ id, bytes: item })));

async function prepare(parts: RelayParts, items: readonly StoredItem[], data: Buffer): Promise<PreparedBundle> {
  const { pool, client, wallet } = parts;
  await refuseWhilePaused(pool);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) throw new Error('A bundle without entries cannot be prepared.');
  const [height, anchor, reward, balance, today] = await Promise.all([
    client.height(),
    client.anchor(),
    client.price(data.length),
    client.balance(wallet.address),
    bytesPreparedToday(pool),
  ]);
  if (reward > parts.maxWinston) {
    throw new PostingBlocked(
      `The network's price of ${reward} winston for a bundle is above the cap of ${parts.maxWinston}.`,
    );
  }
  if (reward > balance) {
    throw new PostingBlocked(`The wallet holds ${balance} winston, but the next bundle costs ${reward}.`);
  }
  if (today + data.length > parts.dailyBytes) {
    throw new PostingBlocked(
      `Today's ${parts.dailyBytes} bytes of network space are used up; posting continues tomorrow.`,
    );
  }
  const tags = [
    { name: 'App-Name', value: 'Perpetua' },
    { name: 'Bundle-Format', value: 'binary' },
    { name: 'Bundle-Version', value: '2.0.0' },
    { name: 'First-Seq', value: String(first.seq) },
    { name: 'Last-Seq', value: String(last.seq) },
  ];
  const { id, json } = await signTransaction(wallet, { data, tags, anchor, reward });
  return {
    firstSeq: first.seq,
    lastSeq: last.seq,
    bytes: data.length,
    transaction: json,
    l1Tx: id,
    dataSha256: createHash('sha256').update(data).digest('hex'),
    reward,
    anchorHeight: height,
  };
}

/** @throws {PostingBlocked} if an operator has paused posting. */
async function refuseWhilePaused(pool: Pool): Promise<void> {
  const since = await readPause(pool);
  if (since !== null) throw new PostingBlocked(pauseProblem(since));
}

async function post(
  { client, pool }: RelayParts,
  { transaction, l1Tx }: Pick<PreparedBundle, 'transaction' | 'l1Tx'>,
  data: Buffer,
): Promise<void> {
  await client.post(transaction, data);
  await markPosted(pool, l1Tx);
}

/** Posts the same bytes again, after an ambiguous response, a crash, or a loss on the network. */
export async function repost(parts: RelayParts, bundle: BundleRow): Promise<void> {
  await refuseWhilePaused(parts.pool);
  const [items, transaction] = await Promise.all([
    itemsBetween(parts.pool, bundle.first_seq, bundle.last_seq),
    signedTransaction(parts.pool, bundle.l1_tx),
  ]);
  await post(parts, { transaction, l1Tx: bundle.l1_tx }, bundleOf(items));
}
