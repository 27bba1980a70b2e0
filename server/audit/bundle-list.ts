import { type ArweaveClient, type BundleOnNetwork, GatewayError, MOST_LISTED } from '../network/arweave-client.ts';
import { waitAfter } from './patience.ts';

/** One transaction of the ledger's wallet, as the network lists it. */
export interface ListedBundle {
  readonly id: string;
  /** What the tags First-Seq and Last-Seq say; what is in it may be something else. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly height: number;
  /** Milliseconds: the time of its block. */
  readonly minedAt: number;
}

export type PendingBundle = Pick<ListedBundle, 'id' | 'firstSeq' | 'lastSeq'>;

export interface BundleList {
  /** Mined ones in the order of the ledger; those without the tags at the end. */
  readonly bundles: readonly ListedBundle[];
  readonly pending: readonly PendingBundle[];
}

const TAGS = [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'Bundle-Format', value: 'binary' },
  { name: 'Bundle-Version', value: '2.0.0' },
];

/** Where a bundle is put that does not say what is in it. */
export const UNPLACED = Number.MAX_SAFE_INTEGER;

/** A reorganisation while the list is read shows some transactions twice, but not this many. */
const MOST_REPEATS = 1_000;

/**
 * Lists what a wallet has written to the ledger, at most `most` transactions. This is the only thing held in memory that grows with
 * the ledger: one short record for every bundle, which is one for about 250 entries.
 * @throws {GatewayError}
 */
export async function listBundles(client: ArweaveClient, wallet: string, most = MOST_LISTED): Promise<BundleList> {
  const mined = new Map<string, ListedBundle>();
  const pending = new Map<string, PendingBundle>();
  let listed = 0;
  for await (const { id, tags, block } of everyBundle(client, wallet, most)) {
    listed += 1;
    if (listed > most) {
      throw new GatewayError(
        'misbehaving',
        `The gateway lists more than ${most} transactions of wallet ${wallet}; --most-bundles allows more.`,
      );
    }
    if (listed - mined.size - pending.size > MOST_REPEATS) {
      throw new GatewayError('misbehaving', `The gateway lists the same transactions of wallet ${wallet} again.`);
    }
    const range = rangeOf(tags);
    if (block) mined.set(id, { id, ...range, height: block.height, minedAt: block.timestamp * 1000 });
    else pending.set(id, { id, ...range });
  }
  for (const id of mined.keys()) pending.delete(id);
  const bundles = [...mined.values()].sort(
    (one, other) => one.firstSeq - other.firstSeq || one.height - other.height || compare(one.id, other.id),
  );
  return { bundles, pending: [...pending.values()] };
}

/** A gateway that fails in the middle is asked again from where it failed. */
async function* everyBundle(client: ArweaveClient, owner: string, most: number): AsyncGenerator<BundleOnNetwork> {
  let from: { after?: string } = {};
  for (let attempt = 0; ; attempt += 1) {
    try {
      // One more, so that the sentence about too many is the one that names the option.
      for await (const bundle of client.bundles({ owner, tags: TAGS, most: most + 100, ...from })) {
        yield bundle;
        from = { after: bundle.cursor };
        attempt = 0;
      }
      return;
    } catch (error) {
      await waitAfter(error, attempt);
    }
  }
}

/** What the tags say is in a bundle. */
export function rangeOf(tags: readonly { name: string; value: string }[]): { firstSeq: number; lastSeq: number } {
  const firstSeq = tagged(tags, 'First-Seq');
  const lastSeq = tagged(tags, 'Last-Seq');
  return firstSeq !== null && lastSeq !== null && firstSeq <= lastSeq
    ? { firstSeq, lastSeq }
    : { firstSeq: UNPLACED, lastSeq: UNPLACED };
}

function tagged(tags: readonly { name: string; value: string }[], name: string): number | null {
  const value = tags.find((tag) => tag.name === name)?.value ?? '';
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const entriesIn = ({ firstSeq, lastSeq }: Pick<ListedBundle, 'firstSeq' | 'lastSeq'>): number =>
  firstSeq === UNPLACED ? 0 : lastSeq - firstSeq + 1;

/** Those that share entries with another one: paid twice, written by an epoch that was given up, or worse. */
export function overlapping(bundles: readonly ListedBundle[]): ListedBundle[] {
  const found: ListedBundle[] = [];
  let cluster: ListedBundle[] = [];
  let reach = 0;
  const close = () => {
    if (cluster.length > 1 || cluster[0]?.firstSeq === UNPLACED) found.push(...cluster);
    cluster = [];
  };
  for (const bundle of bundles) {
    if (bundle.firstSeq > reach) close();
    cluster.push(bundle);
    reach = Math.max(reach, bundle.lastSeq);
  }
  close();
  return found;
}
