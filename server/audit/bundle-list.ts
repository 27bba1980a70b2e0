import type { ArweaveClient, BundleOnNetwork } from '../network/arweave-client.ts';
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

/**
 * Lists what a wallet has written to the ledger. This is the only thing held in memory that grows with the ledger: one
 * short record for every bundle, which is one for about 250 entries.
 * @throws {GatewayError}
 */
export async function listBundles(client: ArweaveClient, wallet: string): Promise<BundleList> {
  const bundles: ListedBundle[] = [];
  const pending = new Map<string, PendingBundle>();
  for await (const { id, tags, block } of everyBundle(client, wallet)) {
    const firstSeq = tagged(tags, 'First-Seq');
    const lastSeq = tagged(tags, 'Last-Seq');
    const range =
      firstSeq !== null && lastSeq !== null && firstSeq <= lastSeq
        ? { firstSeq, lastSeq }
        : { firstSeq: UNPLACED, lastSeq: UNPLACED };
    if (block) bundles.push({ id, ...range, height: block.height, minedAt: block.timestamp * 1000 });
    else pending.set(id, { id, ...range });
  }
  bundles.sort((one, other) => one.firstSeq - other.firstSeq || one.height - other.height || compare(one.id, other.id));
  const mined = bundles.filter(({ id }, index) => bundles[index - 1]?.id !== id);
  for (const { id } of mined) pending.delete(id);
  return { bundles: mined, pending: [...pending.values()] };
}

/** A gateway that fails in the middle is asked again from where it failed. */
async function* everyBundle(client: ArweaveClient, owner: string): AsyncGenerator<BundleOnNetwork> {
  let from: { after?: string } = {};
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const bundle of client.bundles({ owner, tags: TAGS, ...from })) {
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
