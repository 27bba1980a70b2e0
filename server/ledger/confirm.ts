import { createHash } from 'node:crypto';
import { GatewayError } from '../network/arweave-client.ts';
import { type BundleRow, markMined, unfinishedBundles } from './bundle-rows.ts';
import { anchorExpired, HeldBack, type RelayParts, repack, repost } from './relay.ts';

/** Blocks on top of each other after which a bundle is final. */
export const FINAL_CONFIRMATIONS = 18;
/** Between the first confirmation and the last, the network is asked again every so many blocks. */
const LOOK_AGAIN_BLOCKS = 5;
/** How long a posted transaction may be unknown before it is posted again: gateways need a moment to list it. */
const LISTING_MS = 10_000;

/**
 * Looks after every bundle on its way: POSTED → CONFIRMED → FINAL at 18 confirmations and after its bytes were read back.
 * What was dropped or reorganised away is posted again, the same bytes, or anew once its anchor has expired.
 * @returns how many bundles are still on their way.
 * @throws {GatewayError} when the network does not answer.
 */
export async function confirmAll(parts: RelayParts, lostSince: Map<string, number>): Promise<number> {
  const bundles = await unfinishedBundles(parts.pool);
  if (bundles.length === 0) return 0;
  const height = await parts.client.height();
  let refused: unknown;
  for (const bundle of bundles) {
    if (!due(bundle, height)) continue;
    try {
      await look(parts, bundle, height, lostSince);
    } catch (error) {
      if (!concernsOneBundle(error)) throw error;
      refused ??= error;
    }
  }
  if (refused) throw refused;
  return bundles.length;
}

const concernsOneBundle = (error: unknown): boolean =>
  error instanceof HeldBack || (error instanceof GatewayError && error.kind === 'rejected');

function due({ status, block_height, confirmations }: BundleRow, height: number): boolean {
  if (status !== 'CONFIRMED' || block_height === null) return true;
  const now = height - block_height + 1;
  return now >= FINAL_CONFIRMATIONS || now < confirmations || now - confirmations >= LOOK_AGAIN_BLOCKS;
}

async function look(
  parts: RelayParts,
  bundle: BundleRow,
  height: number,
  lostSince: Map<string, number>,
): Promise<void> {
  const { pool, client } = parts;
  const found = await client.status(bundle.l1_tx);
  if (found.state !== 'unknown') lostSince.delete(bundle.l1_tx);
  switch (found.state) {
    case 'mined': {
      const { confirmations, blockHeight } = found;
      const final = confirmations >= FINAL_CONFIRMATIONS && (await bytesAreThere(parts, bundle));
      return markMined(pool, bundle.l1_tx, final ? 'FINAL' : 'CONFIRMED', blockHeight, confirmations);
    }
    case 'pending':
      return bundle.status === 'POSTED' ? undefined : repost(parts, bundle);
    case 'unknown':
      if (anchorExpired(bundle, height)) return repack(parts, bundle);
      return bundle.status === 'POSTED' && !missingForLong(bundle, lostSince) ? undefined : repost(parts, bundle);
  }
}

function missingForLong({ l1_tx }: BundleRow, lostSince: Map<string, number>): boolean {
  const since = lostSince.get(l1_tx) ?? performance.now();
  lostSince.set(l1_tx, since);
  if (performance.now() - since < LISTING_MS) return false;
  lostSince.delete(l1_tx);
  return true;
}

async function bytesAreThere({ client }: RelayParts, bundle: BundleRow): Promise<boolean> {
  try {
    const data = await client.data(bundle.l1_tx);
    return createHash('sha256').update(data).digest('hex') === bundle.data_sha256;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'rejected') return false;
    throw error;
  }
}
