import type { Pool } from 'pg';
import { decodeEntry } from '../../protocol/ledger/entry.ts';
import type { ArweaveClient, BundleOnNetwork } from '../network/arweave-client.ts';
import { decodeTransactionTags } from '../network/arweave-transaction.ts';
import { readBundleTags } from '../network/bundle-tags.ts';
import { GatewayError } from '../network/gateway-http.ts';
import { walletAddress } from '../network/wallet.ts';
import { isStrictPublicKeyNatively } from '../platform/crypto/ed25519.ts';
import { parseBundle, parseItem, verifyItem } from './ans104.ts';
import type { HeadEvidence, HeadSource } from './head-evidence.ts';
import { isAfter, type Place } from './head-record.ts';
import { type KnownKeys, roleOfKey } from './known-keys.ts';

/** The tags of every bundle. */
const TAGS = [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'Bundle-Format', value: 'binary' },
  { name: 'Bundle-Version', value: '2.0.0' },
];
/** Transactions that are listed, from the newest on. */
const LISTED = 100;
/** Of those that the database does not have, the bundles that are read: the newest ones, and the one with the highest Last-Seq. */
const READ = 5;
/** Far more than the relay packs into a bundle. */
const MAX_BUNDLE_BYTES = 4 * 1024 * 1024;

export interface NetworkHeadParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly client: ArweaveClient;
  readonly wallet: string;
  readonly knownKeys: KnownKeys;
}

/**
 * The latest entry in bundles that the wallet posted and the database does not have. A mined bundle counts if the relayer signed its
 * last entry, a pending one if the wallet signed its transaction. Everything else that a gateway lists is ignored.
 */
export const networkHead = (parts: NetworkHeadParts): HeadSource => ({
  name: 'storage network',
  async latest() {
    const unknown = await listUnknown(parts);
    const highest = unknown.toSorted((a, b) => (b.lastSeq ?? 0) - (a.lastSeq ?? 0))[0];
    const chosen = new Set([...unknown.slice(0, READ), ...(highest ? [highest] : [])]);
    let signed: (Place & { readonly l1Tx: string }) | null = null;
    let pending: HeadEvidence | null = null;
    for (const bundle of chosen) {
      if (bundle.block === null) {
        const evidence = await pendingEvidence(parts, bundle);
        if (evidence && evidence.seq > (pending?.seq ?? 0)) pending = evidence;
      } else {
        const place = await lastEntryOf(parts, bundle.id);
        if (place && (!signed || isAfter(place, signed))) signed = { ...place, l1Tx: bundle.id };
      }
    }
    if (!signed) return pending;
    if (pending && pending.seq > signed.seq) return pending;
    const { epoch, seq, id, l1Tx } = signed;
    const shown = `entry ${seq} of epoch ${epoch} (${id}) in transaction ${l1Tx}`;
    return { epoch, seq, id, shown, isSigned: true };
  },
});

/** The newest listed transactions that the database does not have. */
async function listUnknown({ pool, client, wallet }: NetworkHeadParts): Promise<BundleOnNetwork[]> {
  const listed: BundleOnNetwork[] = [];
  for await (const bundle of client.bundles({ owner: wallet, tags: TAGS, limit: LISTED, newestFirst: true })) {
    if (bundle.lastSeq !== null) listed.push(bundle);
  }
  const ids = listed.map(({ id }) => id);
  const { rows } = await pool.query<{ id: string }>({
    name: 'known-transactions',
    text: `SELECT l1_tx AS id FROM bundles WHERE l1_tx = ANY ($1::text[])
      UNION ALL SELECT unnest(superseded_tx) FROM bundles WHERE superseded_tx && $1::text[]
      UNION ALL SELECT unnest(abandoned_tx) FROM ledger_head`,
    values: [ids],
  });
  const known = new Set(rows.map(({ id }) => id));
  return listed.filter(({ id }) => !known.has(id));
}

/** The place of the last entry of a mined bundle; null if the relayer did not sign it. @throws {GatewayError} unavailable */
async function lastEntryOf({ client, knownKeys }: NetworkHeadParts, l1Tx: string): Promise<Place | null> {
  const known = await knownKeys();
  try {
    const last = parseBundle(await client.data(l1Tx, { limit: MAX_BUNDLE_BYTES })).at(-1);
    if (!last) return null;
    const item = parseItem(last.bytes);
    const owner = Buffer.from(item.owner).toString('hex');
    if (roleOfKey(known, owner) !== 'current' || !isStrictPublicKeyNatively(owner) || !verifyItem(item)) return null;
    const { epoch, seq } = decodeEntry(item.data);
    return { epoch, seq, id: last.id as Place['id'] };
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'unavailable') throw error;
    return null;
  }
}

/** @throws {GatewayError} unavailable, also if the gateway does not return pending transactions */
async function pendingEvidence(
  { client, wallet }: NetworkHeadParts,
  { id }: BundleOnNetwork,
): Promise<HeadEvidence | null> {
  try {
    const { owner, tags } = await client.transaction(id);
    if (walletAddress({ n: owner }) !== wallet) return null;
    const seq = readBundleTags(decodeTransactionTags(tags)).lastSeq ?? 0;
    const shown = `a bundle up to entry ${seq} that is not mined yet (transaction ${id})`;
    return seq > 0 ? { epoch: null, seq, id: null, shown, isSigned: false } : null;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'unavailable') throw error;
    return null;
  }
}
