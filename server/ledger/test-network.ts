import type { ArweaveClient } from '../network/arweave-client.ts';
import { parseBundle } from './ans104.ts';

export interface OnNetwork {
  /** Every transaction of the wallet with our tags, mined or not. */
  readonly transactions: readonly string[];
  /** The ids of the items in the mined ones, in the order of their bundles' First-Seq. */
  readonly items: readonly string[];
}

/**
 * Reads what an auditor finds with only the gateway and the wallet's address. Protocol §10.
 * @param known the items of transactions that an earlier call has read; this call adds to it
 */
export async function readNetwork(
  client: ArweaveClient,
  owner: string,
  known = new Map<string, readonly string[]>(),
): Promise<OnNetwork> {
  const transactions: string[] = [];
  const mined: { firstSeq: number; items: readonly string[] }[] = [];
  const tags = [{ name: 'App-Name', value: 'Perpetua' }];
  for await (const { id, block, firstSeq } of client.bundles({ owner, tags })) {
    transactions.push(id);
    if (!block) continue;
    const items = known.get(id) ?? parseBundle(await client.data(id)).map((item) => item.id);
    known.set(id, items);
    mined.push({ firstSeq: firstSeq ?? 0, items });
  }
  mined.sort((a, b) => a.firstSeq - b.firstSeq);
  return { transactions, items: mined.flatMap(({ items }) => items) };
}
