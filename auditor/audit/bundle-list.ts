import { type ArweaveClient, GatewayError, MOST_LISTED } from '../../server/network/arweave-client.ts';
import type { BundleTags } from '../../server/network/bundle-tags.ts';
import { MAX_REPEATS } from '../../server/network/listing-union.ts';
import { withRetries } from '../../server/network/retry.ts';

/** One transaction of the ledger's wallet, as the network lists it. */
export interface ListedBundle {
  readonly id: string;
  /** From the tags First-Seq and Last-Seq, which may be wrong. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly height: number;
  /** Time of its block, in ms. */
  readonly minedAt: number;
}

export type PendingBundle = Pick<ListedBundle, 'id' | 'firstSeq' | 'lastSeq'>;

export interface BundleList {
  /** Mined bundles in the order of the ledger; bundles without the tags come last. */
  readonly bundles: readonly ListedBundle[];
  readonly pending: readonly PendingBundle[];
}

const TAGS = [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'Bundle-Format', value: 'binary' },
  { name: 'Bundle-Version', value: '2.0.0' },
];

/** The `firstSeq` and `lastSeq` of a bundle without valid tags. */
export const UNPLACED = Number.MAX_SAFE_INTEGER;

/** Bundles that the list lacks, and gaps whose first bundle is looked up. */
const MOST_FOUND_MISSING = 1_000;
const MOST_GAPS = 1_000;
/** Transactions that are read for one First-Seq: a bundle may have been paid several times. */
const MOST_FOUND = 100;

/**
 * Lists the bundles that a wallet has posted, at most `most` transactions. Only this list grows with the ledger in memory: one
 * short record for each bundle of about 250 entries.
 * @throws {GatewayError}
 */
export async function listBundles(client: ArweaveClient, wallet: string, most = MOST_LISTED): Promise<BundleList> {
  const mined = new Map<string, ListedBundle>();
  const pending = new Map<string, PendingBundle>();
  let listed = 0;
  // The client allows more than `most`, so that the excess is reported here, with the option.
  for await (const { id, block, ...tags } of client.bundles({ owner: wallet, tags: TAGS, most: most + 100 })) {
    listed += 1;
    if (listed > most) {
      throw new GatewayError(
        'misbehaving',
        `The gateway lists more than ${most} transactions of wallet ${wallet}; --most-bundles allows more.`,
      );
    }
    if (listed - mined.size - pending.size > MAX_REPEATS) {
      throw new GatewayError('misbehaving', `The gateway lists the same transactions of wallet ${wallet} again.`);
    }
    const range = rangeOf(tags);
    if (block) mined.set(id, { id, ...range, height: block.height, minedAt: block.timestamp * 1000 });
    else pending.set(id, { id, ...range });
  }
  for (const found of await lookUpMissing(client, wallet, [...mined.values()])) mined.set(found.id, found);
  for (const id of mined.keys()) pending.delete(id);
  return { bundles: inOrder([...mined.values()]), pending: [...pending.values()] };
}

const inOrder = (bundles: readonly ListedBundle[]): ListedBundle[] =>
  bundles.toSorted((a, b) => a.firstSeq - b.firstSeq || a.height - b.height || compare(a.id, b.id));

/**
 * The bundles that the list lacks, and those after its end: the number of a missing bundle's first entry is known, and an
 * index of tags may have what a list leaves out.
 * @throws {GatewayError} `misbehaving` if the list lacks too many: without them, the audit would report gaps of the ledger
 */
async function lookUpMissing(
  client: ArweaveClient,
  wallet: string,
  listed: readonly ListedBundle[],
): Promise<ListedBundle[]> {
  const found: ListedBundle[] = [];
  let reach = 0;
  let gaps = 0;

  /** Continues from `reach` with bundles that are looked up, up to `next`. */
  async function fill(next: number): Promise<void> {
    while (reach + 1 < next && gaps < MOST_GAPS) {
      const bundles = await withRetries(() => bundlesFrom(client, wallet, reach + 1));
      if (bundles.length === 0) {
        gaps += 1;
        return;
      }
      found.push(...bundles);
      if (found.length > MOST_FOUND_MISSING) {
        const sentence = `The list of wallet ${wallet} lacks more than ${MOST_FOUND_MISSING} transactions that the gateway finds by their First-Seq.`;
        throw new GatewayError('misbehaving', sentence);
      }
      reach = Math.max(...bundles.map(({ lastSeq }) => lastSeq));
    }
  }

  for (const { firstSeq, lastSeq } of inOrder(listed)) {
    if (firstSeq === UNPLACED) break;
    await fill(firstSeq);
    reach = Math.max(reach, lastSeq);
  }
  await fill(UNPLACED);
  return found;
}

/** The mined bundles that begin with an entry. */
export async function bundlesFrom(client: ArweaveClient, owner: string, seq: number): Promise<ListedBundle[]> {
  const tags = [...TAGS, { name: 'First-Seq', value: String(seq) }];
  const found: ListedBundle[] = [];
  for await (const { id, block, ...own } of client.bundles({ owner, tags, limit: MOST_FOUND })) {
    const range = rangeOf(own);
    if (block && range.firstSeq === seq)
      found.push({ id, ...range, height: block.height, minedAt: block.timestamp * 1000 });
  }
  return found;
}

/** The range of entries that the tags of a bundle name. */
export const rangeOf = ({ firstSeq, lastSeq }: BundleTags): { firstSeq: number; lastSeq: number } =>
  firstSeq !== null && lastSeq !== null && firstSeq <= lastSeq
    ? { firstSeq, lastSeq }
    : { firstSeq: UNPLACED, lastSeq: UNPLACED };

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The number of entries according to its tags. */
export const entriesIn = ({ firstSeq, lastSeq }: Pick<ListedBundle, 'firstSeq' | 'lastSeq'>): number =>
  firstSeq === UNPLACED ? 0 : lastSeq - firstSeq + 1;

/** The bundles that share entries with another one: paid twice, abandoned by a restore, or equivocation. */
export function overlapping(bundles: readonly ListedBundle[]): ListedBundle[] {
  const shared: ListedBundle[] = [];
  let cluster: ListedBundle[] = [];
  let reach = 0;
  const close = () => {
    if (cluster.length > 1 || cluster[0]?.firstSeq === UNPLACED) shared.push(...cluster);
    cluster = [];
  };
  for (const bundle of bundles) {
    if (bundle.firstSeq > reach) close();
    cluster.push(bundle);
    reach = Math.max(reach, bundle.lastSeq);
  }
  close();
  return shared;
}
