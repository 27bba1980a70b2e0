import type { ArweaveClient } from '../network/arweave-client.ts';
import { parseBundle } from './ans104.ts';

export interface OnNetwork {
  /** Every transaction of the wallet that says it is a bundle of ours, mined or not. */
  readonly transactions: readonly string[];
  /** The ids of the items in the mined ones, by the place in the ledger that their bundles claim. */
  readonly items: readonly string[];
}

/** What an auditor finds who knows the gateway and the wallet's address. Protocol §10. */
export async function readNetwork(client: ArweaveClient, owner: string): Promise<OnNetwork> {
  const transactions: string[] = [];
  const mined: { firstSeq: number; items: string[] }[] = [];
  for await (const { id, block, tags } of client.bundles({ owner, tags: [{ name: 'App-Name', value: 'Perpetua' }] })) {
    transactions.push(id);
    if (!block) continue;
    const firstSeq = Number(tags.find(({ name }) => name === 'First-Seq')?.value);
    mined.push({ firstSeq, items: parseBundle(await client.data(id)).map((item) => item.id) });
  }
  mined.sort((one, other) => one.firstSeq - other.firstSeq);
  return { transactions, items: mined.flatMap(({ items }) => items) };
}
