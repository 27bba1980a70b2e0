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
/** What cannot be read back is read again after 1, 2, 4 … blocks, at most after these. */
const MAX_READ_BLOCKS = 32;
/** Failed reads and outages after which a round ends for the bundles of one status: each can take as long as a time-out. */
const MAX_FAILED = 10;
/** Transactions that are read for one First-Seq: a bundle may have been paid several times. */
const MOST_LISTED = 100;

/**
 * Advances each bundle from POSTED to CONFIRMED to FINAL, at 18 confirmations and after its bytes were read back. A dropped or
 * reorganised bundle, or one that stays pending, is posted again with the same bytes, or signed again once its anchor has expired.
 * The data of a mined one are posted again while they cannot be read back. What fails with one bundle does not stop the others.
 * @returns the number of bundles that are not FINAL.
 * @throws {GatewayError | PostingBlocked} the first failure, also while a read that failed is not repeated yet.
 */
export async function confirmAll(
  parts: RelayParts,
  losses: Losses,
  pending: Pending = new Map(),
  unread: Unread = new Map(),
): Promise<number> {
  const bundles = await unfinishedBundles(parts.pool);
  if (bundles.length === 0) return 0;
  const height = await parts.client.height();
  const failed = { PREPARED: 0, POSTED: 0, CONFIRMED: 0, FINAL: 0 };
  let problem: Error | null = null;
  for (const bundle of bundles) {
    const { l1_tx: id, status } = bundle;
    if (failed[status] < MAX_FAILED && due(bundle, height, { pending, unread })) {
      try {
        await checkBundle(parts, bundle, height, { losses, pending, unread });
        if (unread.get(id)?.at === height) failed[status] += 1;
      } catch (error) {
        if (!(error instanceof GatewayError || error instanceof PostingBlocked)) throw error;
        problem ??= error;
        if (error instanceof GatewayError && !isAnswered(error)) failed[status] += 1;
      }
    }
    problem ??= unread.get(id)?.problem ?? null;
  }
  if (problem) throw problem;
  return bundles.length;
}

function due(bundle: BundleRow, height: number, { pending, unread }: Pick<Seen, 'pending' | 'unread'>): boolean {
  const { l1_tx, status, block_height, confirmations } = bundle;
  if (status === 'POSTED' && pending.get(l1_tx)?.last === height) return false;
  if (status !== 'CONFIRMED' || block_height === null) return true;
  const now = height - block_height + 1;
  if (now < confirmations || now - confirmations >= RECHECK_BLOCKS) return true;
  return (bundle.lacks_data || now >= FINAL_CONFIRMATIONS) && isReadDue(unread.get(l1_tx), height);
}

/** The distance, because a gateway may have overstated the height. */
const isReadDue = (last: FailedRead | undefined, height: number): boolean =>
  last === undefined || Math.abs(height - last.at) >= last.blocks;

async function checkBundle(
  parts: RelayParts,
  bundle: BundleRow,
  height: number,
  { losses, pending, unread }: Seen,
): Promise<void> {
  const { client } = parts;
  const found = await client.status(bundle.l1_tx, { corroborateFrom: FINAL_CONFIRMATIONS });
  // Not above the height: a gateway may have overstated it.
  const pendingSince = Math.min(pending.get(bundle.l1_tx)?.since ?? height, height);
  if (found.state === 'pending') pending.set(bundle.l1_tx, { since: pendingSince, last: height });
  else pending.delete(bundle.l1_tx);
  // No block can contain it once its anchor has expired, but an index can be late.
  if (found.state === 'pending' && anchorExpired(bundle, height)) {
    if (isMissingFor(PENDING_BLOCKS, bundle, height, losses))
      return handleMissing(parts, bundle, found.state, { height, losses });
    return;
  }
  if (found.state !== 'unknown') losses.delete(bundle.l1_tx);
  if (found.state !== 'mined') unread.delete(bundle.l1_tx);
  switch (found.state) {
    case 'mined':
      return checkMined(parts, bundle, found, { height, unread });
    case 'pending':
      if (bundle.status !== 'POSTED') return repost(parts, bundle);
      if (height - pendingSince < REPOST_BLOCKS) return;
      pending.set(bundle.l1_tx, { since: height, last: height });
      return repost(parts, bundle);
    case 'unknown':
      return handleMissing(parts, bundle, found.state, { height, losses });
  }
}

/** Reads the data when a bundle is first found mined, while they are lacking, and before it is FINAL; ever more rarely if this fails. */
async function checkMined(
  parts: RelayParts,
  bundle: BundleRow,
  { confirmations, blockHeight }: Extract<TransactionStatus, { state: 'mined' }>,
  { height, unread }: { readonly height: number; readonly unread: Unread },
): Promise<void> {
  const { pool, client } = parts;
  const { l1_tx: id, bytes, data_sha256: sha256 } = bundle;
  const isDeep = confirmations >= FINAL_CONFIRMATIONS;
  const isWanted = isDeep || bundle.status !== 'CONFIRMED' || bundle.lacks_data;
  const last = unread.get(id);
  const read = isWanted && isReadDue(last, height) ? await client.readBack(id, { bytes, sha256 }) : null;
  const isFinal = isDeep && read?.isWhole === true;
  const isLacking = read !== null && (read.copies === 0 || read.lacking.length > 0);
  const lacksData = read?.isWhole ? false : isLacking || null;
  await markMined(pool, id, { status: isFinal ? 'FINAL' : 'CONFIRMED', blockHeight, confirmations, lacksData });
  if (read === null) return;
  if (read.isWhole) return void unread.delete(id);
  const reasons = [...read.lacking, ...read.unavailable].map(({ message }) => message).join(' ');
  const sentence = isLacking
    ? `The network does not return the posted bytes of ${id}.`
    : `Only one gateway returns the posted bytes of ${id}; a second one is waited for.`;
  const failedRead: FailedRead = {
    at: height,
    blocks: Math.min(last ? last.blocks * 2 : 1, MAX_READ_BLOCKS),
    problem: isDeep ? new PostingBlocked(`${sentence} ${reasons}`) : null,
  };
  unread.set(id, failedRead);
  if (!isLacking) return;
  await repostData(parts, bundle).catch((error: unknown) => {
    if (!(error instanceof GatewayError || error instanceof PostingBlocked)) throw error;
    failedRead.problem ??= error;
  });
}

interface Seen {
  readonly losses: Losses;
  readonly pending: Pending;
  readonly unread: Unread;
}

/** The bundles whose data could not be read back when they were last read. */
export type Unread = Map<string, FailedRead>;

interface FailedRead {
  /** The height. */
  readonly at: number;
  /** The number of blocks after which they are read, and posted if they are lacking, again. */
  readonly blocks: number;
  /** Why the bundle is not FINAL, or why its data could not be posted again; null if neither is the case. */
  problem: Error | null;
}

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
async function handleMissing(
  parts: RelayParts,
  bundle: BundleRow,
  state: Missing,
  { height, losses }: { readonly height: number; readonly losses: Losses },
): Promise<void> {
  const first = firstMissing(bundle, height, losses);
  const isListingOverdue = performance.now() - first.at >= LISTING_MS;
  if (!anchorExpired(bundle, height)) {
    if (bundle.status === 'POSTED' && !isListingOverdue) return;
    losses.delete(bundle.l1_tx);
    return repost(parts, bundle, { isUnknown: true });
  }
  if (!isMissingFor(LOST_BLOCKS, bundle, height, losses) || (await isListedAsMined(parts, bundle, state)))
    return repost(parts, bundle);
  losses.delete(bundle.l1_tx);
  return repack(parts, bundle);
}

type Missing = Exclude<TransactionStatus['state'], 'mined'>;

async function isListedAsMined({ client, wallet }: RelayParts, bundle: BundleRow, state: Missing): Promise<boolean> {
  const tags = [{ name: 'First-Seq', value: String(bundle.first_seq) }];
  const listed = client.bundles({ owner: wallet.address, tags, limit: MOST_LISTED });
  try {
    for await (const { id, block } of listed) if (id === bundle.l1_tx && block !== null) return true;
    return false;
  } catch (error) {
    if (!(error instanceof GatewayError) || !isAnswered(error)) throw error;
  }
  // A node has no list, but the transaction if it was mined; a pending one as well.
  if (state === 'pending') return false;
  return client.transaction(bundle.l1_tx).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GatewayError && error.kind === 'missing') return false;
      throw error;
    },
  );
}
