import { GatewayError, type TransactionStatus } from '../network/arweave-client.ts';
import { isAnswered } from '../network/gateway-pool.ts';
import { type BundleRow, markMined, unfinishedBundles } from './bundle-rows.ts';
import { anchorExpired, PostingBlocked, type RelayParts, repack, repost, repostData } from './relay.ts';

/** Confirmations after which a bundle is final. */
export const FINAL_CONFIRMATIONS = 18;
/** The status of a CONFIRMED bundle is read once per this many blocks. */
const RECHECK_BLOCKS = 5;
/** Time before an unknown transaction is posted again. Gateways list a new transaction with a delay. */
const LISTING_MS = 10_000;
/** Number of blocks for which a transaction must stay unknown before its entries are signed and paid for again. */
const LOST_BLOCKS = 3;
/** The same for one that a gateway calls pending although its anchor has expired. */
const PENDING_BLOCKS = 100;
/** A pending transaction is posted again after this many blocks: perhaps only a gateway that drops it has received it. */
const REPOST_BLOCKS = 10;
/** Transactions that are read for one First-Seq: a bundle may have been paid several times. */
const MOST_LISTED = 100;

/**
 * Advances each bundle from POSTED to CONFIRMED to FINAL, at 18 confirmations and after its bytes were read back. A dropped or
 * reorganised bundle, or one that stays pending, is posted again with the same bytes, or signed again once its anchor has expired.
 * The data of a mined one are posted again while they cannot be read back.
 * @returns the number of bundles that are not FINAL.
 * @throws {GatewayError} if the network does not respond.
 */
export async function confirmAll(
  parts: RelayParts,
  losses: Losses,
  pending: Pending = new Map(),
  chunksPosted: ChunksPosted = new Map(),
): Promise<number> {
  const bundles = await unfinishedBundles(parts.pool);
  if (bundles.length === 0) return 0;
  const height = await parts.client.height();
  let refused: unknown;
  for (const bundle of bundles) {
    if (!due(bundle, height, pending)) continue;
    try {
      await checkBundle(parts, bundle, height, { losses, pending, chunksPosted });
    } catch (error) {
      if (!concernsOneBundle(error)) throw error;
      refused ??= error;
    }
  }
  if (refused) throw refused;
  return bundles.length;
}

const concernsOneBundle = (error: unknown): boolean =>
  error instanceof PostingBlocked || (error instanceof GatewayError && isAnswered(error));

function due(bundle: BundleRow, height: number, pending: Pending): boolean {
  const { l1_tx, status, block_height, confirmations } = bundle;
  if (status === 'POSTED' && pending.get(l1_tx)?.last === height) return false;
  if (status !== 'CONFIRMED' || block_height === null) return true;
  const now = height - block_height + 1;
  if (bundle.lacks_data && now !== confirmations) return true;
  return now >= FINAL_CONFIRMATIONS || now < confirmations || now - confirmations >= RECHECK_BLOCKS;
}

async function checkBundle(
  parts: RelayParts,
  bundle: BundleRow,
  height: number,
  { losses, pending, chunksPosted }: Seen,
): Promise<void> {
  const { client } = parts;
  const found = await client.status(bundle.l1_tx, { corroborateFrom: FINAL_CONFIRMATIONS });
  // Not above the height: a gateway may have overstated it.
  const pendingSince = Math.min(pending.get(bundle.l1_tx)?.since ?? height, height);
  if (found.state === 'pending') pending.set(bundle.l1_tx, { since: pendingSince, last: height });
  else pending.delete(bundle.l1_tx);
  // No block can contain it once its anchor has expired, but an index can be late.
  if (found.state === 'pending' && anchorExpired(bundle, height)) {
    if (isMissingFor(PENDING_BLOCKS, bundle, height, losses)) return handleMissing(parts, bundle, height, losses);
    return;
  }
  if (found.state !== 'unknown') losses.delete(bundle.l1_tx);
  switch (found.state) {
    case 'mined':
      return checkMined(parts, bundle, found, { height, chunksPosted });
    case 'pending':
      if (bundle.status !== 'POSTED') return repost(parts, bundle);
      if (height - pendingSince < REPOST_BLOCKS) return;
      pending.set(bundle.l1_tx, { since: height, last: height });
      return repost(parts, bundle);
    case 'unknown':
      return handleMissing(parts, bundle, height, losses);
  }
}

/** Reads the data when a bundle is first found mined, while they are lacking, and before it is FINAL. */
async function checkMined(
  parts: RelayParts,
  bundle: BundleRow,
  { confirmations, blockHeight }: Extract<TransactionStatus, { state: 'mined' }>,
  { height, chunksPosted }: { readonly height: number; readonly chunksPosted: ChunksPosted },
): Promise<void> {
  const { pool, client } = parts;
  const { l1_tx: id, bytes, data_sha256: sha256 } = bundle;
  const isDeep = confirmations >= FINAL_CONFIRMATIONS;
  const isRead = isDeep || bundle.status !== 'CONFIRMED' || bundle.lacks_data;
  const read = isRead ? await client.readBack(id, { bytes, sha256 }) : null;
  const isFinal = isDeep && read?.isWhole === true;
  const lacksData = read && (read.isWhole ? false : read.lacking.length > 0 ? true : null);
  await markMined(pool, id, { status: isFinal ? 'FINAL' : 'CONFIRMED', blockHeight, confirmations, lacksData });
  if (read === null || read.isWhole) {
    chunksPosted.delete(id);
    return;
  }
  if (lacksData && chunksPosted.get(id) !== height) {
    await repostData(parts, bundle);
    chunksPosted.set(id, height);
  }
  if (!isDeep) return;
  const reasons = [...read.lacking, ...read.unavailable].map(({ message }) => message).join(' ');
  if (lacksData) throw new PostingBlocked(`The network does not return the posted bytes of ${id}. ${reasons}`);
  const [outage] = read.unavailable;
  if (outage && read.copies === 0) throw outage;
  throw new PostingBlocked(
    `Only one gateway returns the posted bytes of ${id}; a second one is waited for. ${reasons}`,
  );
}

interface Seen {
  readonly losses: Losses;
  readonly pending: Pending;
  readonly chunksPosted: ChunksPosted;
}

/** The height at which the data of a mined transaction were last posted again: they are posted once per block. */
export type ChunksPosted = Map<string, number>;

/** The heights at which a transaction was first pending or posted again, and last pending: it is read once per block. */
export type Pending = Map<string, { readonly since: number; readonly last: number }>;

/** The height and time at which the network first reported a transaction as unknown, or as pending after its anchor expired. */
export type Losses = Map<string, { height: number; at: number }>;

function firstMissing({ l1_tx: id }: BundleRow, height: number, losses: Losses): { height: number; at: number } {
  const first = losses.get(id) ?? { height, at: performance.now() };
  losses.set(id, first);
  return first;
}

const isMissingFor = (blocks: number, bundle: BundleRow, height: number, losses: Losses): boolean =>
  height - firstMissing(bundle, height, losses).height >= blocks;

/** One response is no proof: entries are signed again only if several blocks and a second source confirm the loss. */
async function handleMissing(parts: RelayParts, bundle: BundleRow, height: number, losses: Losses): Promise<void> {
  const first = firstMissing(bundle, height, losses);
  const isListingOverdue = performance.now() - first.at >= LISTING_MS;
  if (!anchorExpired(bundle, height)) {
    if (bundle.status === 'POSTED' && !isListingOverdue) return;
    losses.delete(bundle.l1_tx);
    return repost(parts, bundle);
  }
  if (!isMissingFor(LOST_BLOCKS, bundle, height, losses) || (await isListedAsMined(parts, bundle)))
    return repost(parts, bundle);
  losses.delete(bundle.l1_tx);
  return repack(parts, bundle);
}

async function isListedAsMined({ client, wallet }: RelayParts, bundle: BundleRow): Promise<boolean> {
  const tags = [{ name: 'First-Seq', value: String(bundle.first_seq) }];
  const listed = client.bundles({ owner: wallet.address, tags, limit: MOST_LISTED });
  try {
    for await (const { id, block } of listed) if (id === bundle.l1_tx && block !== null) return true;
    return false;
  } catch (error) {
    if (!(error instanceof GatewayError) || !isAnswered(error)) throw error;
  }
  // A node has no list. One that does not have the transaction either has lost it.
  return client.transaction(bundle.l1_tx).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GatewayError && error.kind === 'missing') return false;
      throw error;
    },
  );
}
