import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type ArweaveClient, GatewayError } from '../network/arweave-client.ts';
import type { SignedTransaction } from '../network/arweave-transaction.ts';
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
  /** What an earlier attempt was answered. */
  readonly quotes?: Quotes;
  /** The first entries of the bundles that relayNext is posting: confirmAll, which runs beside it, does not post these. */
  readonly posting?: Set<number>;
  /** A bundle was posted for the first time; the delay is the wait of its oldest entry. */
  readonly onPosted?: (bundle: { readonly operations: number; readonly delaySeconds: number }) => void;
}

/** The network's answers for the next bundle: one request that fails does not discard those of the others. */
export interface Quotes {
  /** When the first of them was received; in ms of performance.now(). */
  at: number;
  /** The size that the price is for. */
  bytes: number;
  known: Partial<Quote>;
}

interface Quote {
  height: number;
  anchor: string;
  reward: bigint;
  balance: bigint;
}

/** Answers older than this are asked for again. */
const QUOTE_MS = 60_000;

export const createQuotes = (): Quotes => ({ at: performance.now(), bytes: 0, known: {} });

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
  const packedAt = performance.now();
  parts.posting?.add(oldest.seq);
  try {
    await insertBundle(parts.pool, prepared);
    await postNew(parts, { ...prepared, superseded: 0 }, packed, data);
  } finally {
    parts.posting?.delete(oldest.seq);
  }
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
  const prepared = await prepare(parts, items, data, { replaces: true });
  await replaceBundle(parts.pool, bundle.l1_tx, prepared);
  await post(parts, prepared, data);
}

export const anchorExpired = (bundle: BundleRow, height: number): boolean =>
  height > bundle.anchor_height + ANCHOR_LIFE_BLOCKS + ANCHOR_MARGIN_BLOCKS;

const bundleOf = (items: readonly StoredItem[]): Buffer =>
  encodeBundle(items.map(({ id, item }) => ({ id, bytes: item })));

/** @param options.replaces whether the entries had a transaction before, which no gateway took or which is lost */
async function prepare(
  parts: RelayParts,
  items: readonly StoredItem[],
  data: Buffer,
  { replaces } = { replaces: false },
): Promise<PreparedBundle> {
  const { pool, wallet } = parts;
  await refuseWhilePaused(pool);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) throw new Error('A bundle without entries cannot be prepared.');
  const [{ height, anchor, reward, balance }, today] = await Promise.all([
    readQuote(parts, data.length, replaces),
    replaces ? 0 : bytesPreparedToday(pool),
  ]);
  if (reward > parts.maxWinston) {
    throw new PostingBlocked(
      `The network's price of ${reward} winston for a bundle is above the cap of ${parts.maxWinston}.`,
    );
  }
  if (reward > balance) {
    throw new PostingBlocked(`The wallet holds ${balance} winston, but the next bundle costs ${reward}.`);
  }
  if (!replaces && today + data.length > parts.dailyBytes) {
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

/** @throws {GatewayError} if a request fails; the answers to the others are kept for the next attempt */
async function readQuote(
  { client, wallet, quotes = createQuotes() }: RelayParts,
  bytes: number,
  highest: boolean,
): Promise<Quote> {
  if (performance.now() - quotes.at > QUOTE_MS) Object.assign(quotes, createQuotes());
  const { known } = quotes;
  if (quotes.bytes !== bytes || highest) delete known.reward;
  quotes.bytes = bytes;
  const asked = await Promise.allSettled([
    known.height ?? client.height(),
    known.anchor ?? client.anchor(),
    known.reward ?? client.price(bytes, { highest }),
    known.balance ?? client.balance(wallet.address),
  ]);
  const [height, anchor, reward, balance] = asked;
  if (height.status === 'fulfilled') known.height = height.value;
  if (anchor.status === 'fulfilled') known.anchor = anchor.value;
  if (reward.status === 'fulfilled') known.reward = reward.value;
  if (balance.status === 'fulfilled') known.balance = balance.value;
  for (const answer of asked) if (answer.status === 'rejected') throw answer.reason;
  // The next bundle has another price, and this one lowers the balance.
  Object.assign(quotes, createQuotes());
  return known as Quote;
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

/**
 * Posts a transaction that may never have been taken. If every gateway rejects it, its entries are signed again at once: if the
 * price rose, or if they name another anchor, which they do at each block, so for this only once. The rejected transaction stays
 * recorded: should it be mined after all, both contain the same items, and `verify` reports that they were paid twice.
 */
async function postNew(
  parts: RelayParts,
  rejected: { readonly l1Tx: string; readonly transaction: SignedTransaction; readonly superseded: number },
  items: readonly StoredItem[],
  data: Buffer,
): Promise<void> {
  try {
    await post(parts, rejected, data);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    const next = await prepare(parts, items, data, { replaces: true });
    const isOtherAnchor = next.transaction.last_tx !== rejected.transaction.last_tx && rejected.superseded === 0;
    if (!isOtherAnchor && next.reward <= BigInt(rejected.transaction.reward)) throw error;
    await replaceBundle(parts.pool, rejected.l1Tx, next);
    await post(parts, next, data);
  }
}

/**
 * Posts the same bytes again, after an ambiguous response, a crash, or a loss on the network.
 * @param options.isUnknown whether the network does not know the transaction, so that one never posted may be signed again
 */
export async function repost(
  parts: RelayParts,
  bundle: BundleRow,
  { isUnknown } = { isUnknown: false },
): Promise<void> {
  const { l1_tx: l1Tx, first_seq, superseded } = bundle;
  if (parts.posting?.has(first_seq)) return;
  const stored = await storedBundle(parts, bundle);
  // The relay posted it after the row was read.
  if (!stored || (bundle.status === 'PREPARED' && !stored.isPrepared)) return;
  const { items, data, transaction, isPrepared } = stored;
  if (isPrepared && isUnknown) await postNew(parts, { transaction, l1Tx, superseded }, items, data);
  else await post(parts, { transaction, l1Tx }, data);
}

/** Posts the data of a mined transaction again: a node may keep the transaction and lose them. */
export async function repostData(parts: RelayParts, bundle: BundleRow): Promise<void> {
  const stored = await storedBundle(parts, bundle);
  if (stored) await parts.client.postChunks(stored.transaction, stored.data);
}

async function storedBundle({ pool }: RelayParts, bundle: BundleRow) {
  await refuseWhilePaused(pool);
  const [items, signed] = await Promise.all([
    itemsBetween(pool, bundle.first_seq, bundle.last_seq),
    signedTransaction(pool, bundle.l1_tx),
  ]);
  return signed && { ...signed, items, data: bundleOf(items) };
}
