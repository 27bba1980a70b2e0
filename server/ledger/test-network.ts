import type { ArweaveClient } from '../network/arweave-client.ts';
import { parseBundle } from './ans104.ts';

export interface OnNetwork {
  /** Every transaction of the wallet with our tags, mined or not. */
  readonly transactions: readonly string[];
  /** The ids of the items in the mined ones, in the order of their bundles' First-Seq. */
  readonly items: readonly string[];
}

/** Reads what an auditor finds with only the gateway and the wallet's address. Protocol §10. */
export async function readNetwork(client: ArweaveClient, owner: string): Promise<OnNetwork> {
  const transactions: string[] = [];
  const mined: { firstSeq: number; items: string[] }[] = [];
  for await (const { id, block, tags } of client.bundles({ owner, tags: [{ name: 'App-Name', value: 'Perpetua' }] })) {
    transactions.push(id);
    if (!block) continue;
    const firstSeq = Number(tags.find(({ name }) => name === 'First-Seq')?.value);
    mined.push({ firstSeq, items: parseBundle(await client.data(id)).map((item) => item.id) });
  }
  mined.sort((a, b) => a.firstSeq - b.firstSeq);
  return { transactions, items: mined.flatMap(({ items }) => items) };
}
