import { type ArweaveClient, createArweaveClient, GatewayError } from './arweave-client.ts';
import { createGatewayPool, type GatewayFault } from './gateway-pool.ts';
import { listUnion } from './listing-union.ts';
import { LIST_MS, readList } from './read-list.ts';
import { isDataOf } from './signed-transaction.ts';

export type { GatewayFault };

/** One or several gateways, as one client. */
export interface Gateways extends ArweaveClient {
  readonly urls: readonly string[];
  /** What gateways did wrong, or did not do, while another one answered. Empty with a single gateway, whose failures are thrown. */
  faults(): readonly GatewayFault[];
}

/** In ms. */
export interface GatewayTimes {
  /** The limit of a response; 15 seconds by default. */
  readonly timeoutMs?: number;
  /** How long one gateway is waited for before another one is asked as well. */
  readonly slowMs?: number;
  /** How long a list may take once another gateway's is complete: see listUnion. */
  readonly lateMs?: number;
  /** How long a list may take in any case: see readList. */
  readonly listMs?: number;
}

const MAX_DATA_BYTES = 64 * 1024 * 1024;
const SLOW_MS = 3_000;
const LATE_MS = 30_000;

/**
 * Reads from all gateways, none of which is trusted: transactions are listed if one of them lists them, and data are those of the
 * signed data_root, whoever returns them. What cannot be proved (height, prices, balances, the state of a transaction) is asked
 * from the first one that is available, which is also the one to post to.
 * @param urls at least one
 */
export function createGateways(
  urls: readonly string[],
  { slowMs = SLOW_MS, lateMs = LATE_MS, listMs = LIST_MS, ...options }: GatewayTimes = {},
): Gateways {
  const members = urls.map((url) => ({
    url,
    client: createArweaveClient({ gatewayUrl: url, ...options }),
    failures: 0,
    restsUntil: 0,
  }));
  const [first] = members;
  if (!first) throw new Error('At least one gateway is needed.');
  if (members.length === 1) {
    return { ...first.client, urls, faults: () => [], bundles: (query) => readList(first.client, query, listMs) };
  }
  const pool = createGatewayPool(members, slowMs);
  const transaction: ArweaveClient['transaction'] = (id) => pool.fromAny((client) => client.transaction(id));

  return {
    urls,
    faults: pool.faults,
    height: () => pool.inOrder((client) => client.height()),
    anchor: () => pool.inOrder((client) => client.anchor()),
    price: (bytes) => pool.inOrder((client) => client.price(bytes)),
    balance: (address) => pool.inOrder((client) => client.balance(address)),
    blockTime: (height) => pool.inOrder((client) => client.blockTime(height)),
    post: (signed, data) => pool.inOrder((client) => client.post(signed, data)),
    transaction,
    bundles: (query) => listUnion(pool, query, { lateMs, listMs }),

    /** A gateway that does not know a transaction may lag behind the others. */
    async status(id) {
      let found = await pool.inOrder((client) => client.status(id));
      for (const { client } of members) {
        if (found.state !== 'unknown') break;
        found = await client.status(id).catch(() => found);
      }
      return found;
    },

    async data(id, { limit = MAX_DATA_BYTES } = {}) {
      const signed = await transaction(id);
      const size = Number(signed.data_size);
      if (size > limit) {
        throw new GatewayError(
          'too_large',
          `Transaction ${id} has ${size} bytes, which is larger than ${limit} bytes.`,
        );
      }
      return pool.fromAny(async (client, signal) => {
        const bytes = await client.data(id, { limit: size, signal });
        if (await isDataOf(signed, bytes)) return bytes;
        throw new GatewayError('misbehaving', `The gateway gives bytes for transaction ${id} that are not its data.`);
      });
    },
  };
}
