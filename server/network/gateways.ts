import {
  type ArweaveClient,
  type BundleOnNetwork,
  type BundleQuery,
  createArweaveClient,
  GatewayError,
  readExpected,
  sortFailures,
} from './arweave-client.ts';
import { createGatewayPool, EveryGatewayFailed, type GatewayFault, type Member } from './gateway-pool.ts';
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
/** Gateways that must return the data of a bundle, if there are so many. It was posted to all: one may return what it was sent. */
const READ_BACK_FROM = 2;

export interface GatewayOptions extends GatewayTimes {
  /** Whether the URLs are of another party, so that no private address may be reached. */
  readonly publicOnly?: boolean;
}

/**
 * Reads from all gateways, none of which is trusted: transactions are listed if one of them lists them, and data are those of the
 * signed data_root, whoever returns them. The height and the confirmations of a transaction cannot be proved: if several answer,
 * two must state at least as many, so that none alone makes a bundle final; one that alone answers is believed. Prices and balances
 * are those of the first one that is available. Transactions are posted to all that are
 * available, so one that drops them does not stop the others, and are rejected only if all of them reject them.
 * @param urls at least one
 */
export function createGateways(
  urls: readonly string[],
  { slowMs = SLOW_MS, lateMs = LATE_MS, listMs = LIST_MS, ...options }: GatewayOptions = {},
): Gateways {
  const members = urls.map((url) => ({
    url,
    client: createArweaveClient({ gatewayUrl: url, ...options }),
    failures: 0,
    restsUntil: 0,
    askedAgain: false,
  }));
  const [first] = members;
  if (!first) throw new Error('At least one gateway is needed.');
  const isAlone = members.length === 1;
  const pool = createGatewayPool(members, slowMs);
  const transaction: ArweaveClient['transaction'] = (id) => pool.fromAny((client) => client.transaction(id));

  return {
    urls,
    faults: pool.faults,
    anchor: () => pool.inOrder((client) => client.anchor()),
    async price(bytes, options) {
      if (!options?.highest) return pool.inOrder((client) => client.price(bytes));
      const prices = await pool.fromAll((client) => client.price(bytes));
      return prices.reduce((most, price) => (price > most ? price : most));
    },
    balance: (address) => pool.inOrder((client) => client.balance(address)),
    blockTime: (height) => pool.inOrder((client) => client.blockTime(height)),
    transaction,
    bundles: (query) => (isAlone ? listOf(first, query, listMs) : listUnion(pool, query, { lateMs, listMs })),
    postChunks: async (signed, data) => void (await pool.fromAll((client) => client.postChunks(signed, data))),

    async readBack(id, expected) {
      const enough = Math.min(READ_BACK_FROM, members.length);
      const { results, failed } = await pool.fromSome(enough, (client) => readExpected(client, id, expected));
      const errors = failed.map((one) => new EveryGatewayFailed([one]));
      return { copies: results.length, isWhole: results.length === enough, ...sortFailures(errors) };
    },

    async post(signed, data) {
      const answers = await pool.fromAll((client) => client.post(signed, data));
      return answers.includes('accepted') ? 'accepted' : 'known';
    },

    async height() {
      const heights = await pool.fromAll((client) => client.height());
      const [highest = 0, second = highest] = heights.sort((one, other) => other - one);
      return second;
    },

    /** Mined if one of them states so, but with no more confirmations than a second one states. */
    async status(id, { corroborateFrom = Number.POSITIVE_INFINITY } = {}) {
      const ask = (client: ArweaveClient) => client.status(id);
      const found = await pool.fromAll(ask);
      const [only] = found.length === 1 ? found : [];
      if (only?.state === 'mined' && only.confirmations >= corroborateFrom)
        found.push(...(await pool.fromResting(ask)));
      const mined = found.flatMap((one) => (one.state === 'mined' ? [one] : []));
      const [most, second] = mined.sort((one, other) => other.confirmations - one.confirmations);
      if (!most) return found.find(({ state }) => state === 'pending') ?? { state: 'unknown' };
      if (found.length === 1) return most;
      return second ?? { ...most, confirmations: 1 };
    },

    async data(id, { limit = MAX_DATA_BYTES } = {}) {
      if (isAlone) return pool.fromAny((client, signal) => client.data(id, { limit, signal }));
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

async function* listOf(member: Member, query: BundleQuery, listMs: number): AsyncGenerator<BundleOnNetwork> {
  try {
    yield* readList(member.client, query, listMs);
  } catch (error) {
    throw error instanceof GatewayError ? new EveryGatewayFailed([{ member, error }]) : error;
  }
}
