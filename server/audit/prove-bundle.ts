import { type ArweaveClient, GatewayError } from '../network/arweave-client.ts';
import { decodeTransactionTags } from '../network/arweave-transaction.ts';
import { isDataOf } from '../network/signed-transaction.ts';
import { walletAddress } from '../network/wallet.ts';
import { type ListedBundle, rangeOf } from './bundle-list.ts';
import { withRetries } from './retry.ts';

/**
 * Whether a bundle with something wrong in it is what the wallet has posted, or what the gateway made of it: the transaction, which
 * the wallet signed, names the owner, the tags and the Merkle root of the bytes. `bytes` is null where the gateway has none.
 * @throws {GatewayError} where it is the gateway's doing, or that cannot be told: then nothing is known of the ledger.
 */
export async function proveBundle(
  client: ArweaveClient,
  wallet: string,
  bundle: ListedBundle,
  bytes: Uint8Array | null,
): Promise<void> {
  const { id } = bundle;
  const transaction = await withRetries(() => client.transaction(id)).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.kind !== 'rejected') throw error;
    throw untrue(`lists transaction ${id}, which it does not have (${error.status})`);
  });
  if (walletAddress({ n: transaction.owner }) !== wallet) {
    throw untrue(`lists transaction ${id}, which is of another wallet`);
  }
  const { firstSeq, lastSeq } = rangeOf(decodeTransactionTags(transaction.tags));
  if (firstSeq !== bundle.firstSeq || lastSeq !== bundle.lastSeq) {
    throw untrue(`lists transaction ${id} with other tags than it has`);
  }
  if (bytes && !(await isDataOf(transaction, bytes))) {
    throw untrue(`gives bytes for transaction ${id} that are not its data`);
  }
}

const untrue = (what: string): GatewayError => new GatewayError('misbehaving', `The gateway ${what}.`);
