import { type ArweaveClient, GatewayError } from '../../server/network/arweave-client.ts';
import { decodeTransactionTags } from '../../server/network/arweave-transaction.ts';
import { readBundleTags } from '../../server/network/bundle-tags.ts';
import { withRetries } from '../../server/network/retry.ts';
import { isDataOf } from '../../server/network/signed-transaction.ts';
import { walletAddress } from '../../server/network/wallet.ts';
import { type ListedBundle, rangeOf } from './bundle-list.ts';

/**
 * Whether the wallet posted a faulty bundle, or the gateway altered it. The signed transaction names the owner, the tags and the
 * Merkle root of the bytes. `bytes` is null if the gateway has none.
 * @throws {GatewayError} if the gateway altered it, or this cannot be decided.
 */
export async function proveBundle(
  client: ArweaveClient,
  wallet: string,
  bundle: ListedBundle,
  bytes: Uint8Array | null,
): Promise<void> {
  const { id } = bundle;
  const transaction = await withRetries(() => client.transaction(id)).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.kind !== 'missing') throw error;
    throw misbehaving(`lists transaction ${id}, which it does not have (${error.status})`);
  });
  if (walletAddress({ n: transaction.owner }) !== wallet) {
    throw misbehaving(`lists transaction ${id}, which belongs to another wallet`);
  }
  const { firstSeq, lastSeq } = rangeOf(readBundleTags(decodeTransactionTags(transaction.tags)));
  if (firstSeq !== bundle.firstSeq || lastSeq !== bundle.lastSeq) {
    throw misbehaving(`lists transaction ${id} with other tags than it has`);
  }
  if (bytes && !(await isDataOf(transaction, bytes))) {
    throw misbehaving(`gives bytes for transaction ${id} that are not its data`);
  }
}

const misbehaving = (what: string): GatewayError => new GatewayError('misbehaving', `The gateway ${what}.`);
