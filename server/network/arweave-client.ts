import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  CHUNK_BYTES,
  type DataChunk,
  type SignedTransaction,
  splitData,
  type TransactionTag,
} from './arweave-transaction.ts';
import { type BundleTags, readBundleTags } from './bundle-tags.ts';
import {
  createGatewayHttp,
  failureOf,
  GatewayError,
  type GatewayHttp,
  isMissing,
  parseJson,
  refusal,
} from './gateway-http.ts';
import { signatureProblem, signedTransactionShape } from './signed-transaction.ts';

export { GatewayError };

export type TransactionStatus =
  | { state: 'unknown' }
  | { state: 'pending' }
  /** `confirmations` is 1 in the newest block. */
  | { state: 'mined'; confirmations: number; blockHeight: number; blockId: string };

export type BundleOnNetwork = BundleTags & {
  id: string;
  /** Null while it is pending; the timestamp in seconds. */
  block: { height: number; timestamp: number } | null;
  /** The value of `after` for the next page; empty if several gateways list it. */
  cursor: string;
};

/** Every method throws only GatewayError for a failure of the gateway. */
export type ArweaveClient = {
  height(): Promise<number>;
  /** A recent block to use as `last_tx`. It expires after 50 blocks or if a reorganisation removes it. */
  anchor(): Promise<string>;
  /** The price in winston of a transaction with this many bytes of data. @param options.highest of all that gateways state */
  price(bytes: number, options?: { readonly highest: boolean }): Promise<bigint>;
  /** In winston. */
  balance(address: string): Promise<bigint>;
  /**
   * Posts a transaction with its data or, above one chunk, its header and then the chunks. Posting is idempotent. `known`:
   * the gateway already had it, perhaps without its data, so the chunks are posted, too. A rejected anchor can also mean that it
   * was mined long ago: check `status` first.
   * @throws {GatewayError} `rejected` if the gateway did not take it; with several gateways, if none of them did
   */
  post(transaction: SignedTransaction, data: Uint8Array): Promise<'accepted' | 'known'>;
  /** Posts only the chunks of a transaction that the network has, to every gateway. @throws {GatewayError} if none takes them */
  postChunks(transaction: SignedTransaction, data: Uint8Array): Promise<void>;
  /** Reads the data of a transaction from every gateway, or from two of several. Throws no GatewayError. */
  readBack(id: string, expected: ExpectedData): Promise<ReadBack>;
  /**
   * @param options.corroborateFrom if only one of several gateways answers and states at least so many confirmations, those
   * that were unavailable a moment ago are asked, too
   */
  status(id: string, options?: { readonly corroborateFrom?: number }): Promise<TransactionStatus>;
  /**
   * The data of a transaction, at most 64 MiB or `limit` bytes, not checked against its data_root.
   * @throws {GatewayError} `missing`: neither /raw/<id> nor /<id> has it; `unavailable` with 202: not mined yet; `too_large`
   */
  data(id: string, options?: { limit?: number; signal?: AbortSignal }): Promise<Buffer>;
  /**
   * A transaction without its data, also a pending one where the gateway shows it. Throws `misbehaving` if it has another id or
   * an invalid signature.
   */
  transaction(id: string): Promise<SignedTransaction>;
  /** The timestamp of a block, in seconds. */
  blockTime(height: number): Promise<number>;
  /**
   * The transactions of a wallet with all these tags, oldest first, pending ones last; or in the opposite order. Throws
   * `misbehaving` for more than `most` (a million) or for a repeated page.
   */
  bundles(query: BundleQuery): AsyncIterable<BundleOnNetwork>;
};

/** What the data of a transaction must be. */
export type ExpectedData = { readonly bytes: number; readonly sha256: string };

export type ReadBack = {
  /** The number of gateways that returned the expected bytes. */
  readonly copies: number;
  /** Whether these are enough: one gateway, or two where there are several, so that none alone is believed. */
  readonly isWhole: boolean;
  /** The errors of gateways that do not have the data, or have other bytes. */
  readonly lacking: readonly GatewayError[];
  /** The errors of gateways that did not answer. */
  readonly unavailable: readonly GatewayError[];
};

export type BundleQuery = {
  owner: string;
  tags: readonly TransactionTag[];
  after?: string;
  most?: number;
  /** Ends the list after so many transactions. */
  limit?: number;
  newestFirst?: boolean;
};

const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_DATA_BYTES = 64 * 1024 * 1024;
const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_CACHED_BLOCKS = 1_024;
const SETTLED_DEPTH = 50;
const PAGE = 100;
/** A node answers an unknown path with 400, a gateway that serves another host's data with 421. */
const WITHOUT_RAW = new Set([400, 404, 410, 421]);
/** Nodes and gateways answer 303 without a Location to a chunk that they keep for now. */
const CHUNK_STORED = new Set([200, 201, 202, 208, 303]);
/** A transaction has at most 2 KiB of tags, a data item 4 KiB and 128 of them. */
const MAX_TAGS = 128;
const MAX_TAGS_LENGTH = 4_096;
export const MOST_LISTED = 1_000_000;
/** The end of the year 9999, in seconds: the latest valid date. */
const LAST_SECOND = 253_402_300_799;

const whole = z.int().nonnegative();
const infoShape = z.object({ height: whole });
const second = whole.max(LAST_SECOND);
const blockShape = z.object({ timestamp: second });
const statusShape = z.object({ block_height: whole, block_indep_hash: z.string(), number_of_confirmations: whole });
const tagsShape = z
  .array(z.object({ name: z.string(), value: z.string() }))
  .max(MAX_TAGS)
  .refine((tags) => tags.reduce((sum, { name, value }) => sum + name.length + value.length, 0) <= MAX_TAGS_LENGTH);
const pageShape = z.object({
  errors: z.array(z.object({ message: z.string() })).optional(),
  data: z
    .object({
      transactions: z.object({
        edges: z
          .array(
            z.object({
              cursor: z.string().max(4_096),
              node: z.object({
                id: z.string().regex(/^[\w-]{43}$/),
                tags: tagsShape,
                block: z.object({ height: whole, timestamp: second }).nullish(),
              }),
            }),
          )
          .max(PAGE),
      }),
    })
    .nullish(),
});

export const tooManyListed = (most: number, owner: string): GatewayError =>
  new GatewayError('misbehaving', `The gateway lists more than ${most} transactions of wallet ${owner}.`);

const BUNDLES_QUERY = `query ($owners: [String!], $tags: [TagFilter!], $first: Int, $after: String, $sort: SortOrder) {
  transactions(owners: $owners, tags: $tags, first: $first, after: $after, sort: $sort) {
    edges { cursor node { id tags { name value } block { height timestamp } } }
  }
}`;

/** A client of one Arweave gateway or node, over fetch, without retries. */
export function createArweaveClient(options: {
  gatewayUrl: string;
  timeoutMs?: number;
  /** See createGatewayHttp. */
  publicOnly?: boolean;
}): ArweaveClient {
  const http = createGatewayHttp(options.gatewayUrl, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.publicOnly);
  const blockTimes = new Map<number, number>();
  let tip = 0;

  const data: ArweaveClient['data'] = async (id, { limit = MAX_DATA_BYTES, signal } = {}) => {
    const path = encodeURIComponent(id);
    const options = { limit, ...(signal ? { signal } : {}) };
    const raw = await http.request(`/raw/${path}`, options);
    if (raw.status === 200) return raw.body;
    if (!WITHOUT_RAW.has(raw.status)) throw refusal(raw, `GET /raw/${path}`);
    return await http.ok(`/${path}`, options);
  };

  return {
    async height() {
      const { height } = parseJson(await http.ok('/info'), infoShape, 'GET /info');
      tip = Math.max(tip, height);
      return height;
    },

    anchor: () => textOf(http, '/tx_anchor', /^[A-Za-z0-9_-]{43,64}$/),
    price: async (bytes) => BigInt(await textOf(http, `/price/${bytes}`, /^\d+$/)),
    balance: async (address) => BigInt(await textOf(http, `/wallet/${encodeURIComponent(address)}/balance`, /^\d+$/)),
    post: (transaction, data) => post(http, transaction, data),
    postChunks: (transaction, data) => postChunks(http, transaction, data),

    async readBack(id, expected) {
      try {
        await readExpected({ data }, id, expected);
        return { copies: 1, isWhole: true, lacking: [], unavailable: [] };
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return { copies: 0, isWhole: false, ...sortFailures([error]) };
      }
    },

    async status(id) {
      const path = `/tx/${encodeURIComponent(id)}/status`;
      const answer = await http.request(path);
      if (isMissing(answer)) return { state: 'unknown' };
      if (answer.status === 202) return { state: 'pending' };
      if (answer.status !== 200) throw refusal(answer, `GET ${path}`);
      if (answer.body.toString('utf8', 0, 7) === 'Pending') return { state: 'pending' };
      const status = parseJson(answer.body, statusShape, `GET ${path}`);
      return {
        state: 'mined',
        confirmations: status.number_of_confirmations,
        blockHeight: status.block_height,
        blockId: status.block_indep_hash,
      };
    },

    data,

    async transaction(id) {
      const path = `/tx/${encodeURIComponent(id)}`;
      const body = await headerOf(http, path);
      const transaction = parseJson(body, signedTransactionShape, `GET ${path}`);
      const fault = transaction.id === id ? await signatureProblem(transaction) : 'it has another id';
      if (fault === undefined) return transaction;
      throw new GatewayError('misbehaving', `The gateway's answer to GET ${path} is not the transaction: ${fault}.`);
    },

    async blockTime(height) {
      const known = blockTimes.get(height);
      if (known !== undefined) return known;
      const path = `/block/height/${height}`;
      const { timestamp } = parseJson(await http.ok(path, { limit: MAX_JSON_BYTES }), blockShape, `GET ${path}`);
      if (height <= tip - SETTLED_DEPTH) {
        const [oldest] = blockTimes.keys();
        if (blockTimes.size >= MAX_CACHED_BLOCKS && oldest !== undefined) blockTimes.delete(oldest);
        blockTimes.set(height, timestamp);
      }
      return timestamp;
    },

    async *bundles({ owner, tags, after, most = MOST_LISTED, limit, newestFirst = false }) {
      const pages = new Set<string>();
      let cursor = after;
      let listed = 0;
      while (true) {
        const variables = {
          owners: [owner],
          tags: tags.map(({ name, value }) => ({ name, values: [value] })),
          first: PAGE,
          sort: newestFirst ? 'HEIGHT_DESC' : 'HEIGHT_ASC',
          ...(cursor === undefined ? {} : { after: cursor }),
        };
        const body = JSON.stringify({ query: BUNDLES_QUERY, variables });
        const answer = await http.ok('/graphql', { method: 'POST', body, limit: MAX_JSON_BYTES });
        const { data, errors } = parseJson(answer, pageShape, 'POST /graphql');
        if (!data) {
          const reason = String(errors?.[0]?.message).slice(0, 200);
          throw new GatewayError('unavailable', `The gateway could not answer a query: ${reason}`);
        }
        const { edges } = data.transactions;
        if (limit !== undefined) edges.splice(Math.max(0, limit - listed));
        listed += edges.length;
        if (listed > most) throw tooManyListed(most, owner);
        for (const { node, cursor: at } of edges) {
          yield { id: node.id, ...readBundleTags(node.tags), block: node.block ?? null, cursor: at };
        }
        if (limit !== undefined && listed >= limit) return;
        // hasNextPage is not used: public gateways return it as false after a shortened page.
        cursor = edges.at(-1)?.cursor;
        if (cursor === undefined) return;
        const page = hash('sha256', cursor, 'base64url');
        if (pages.has(page)) {
          throw new GatewayError('misbehaving', `The gateway lists the same transactions of wallet ${owner} again.`);
        }
        pages.add(page);
      }
    },
  };
}

/** Reads the data of a transaction once. @throws {GatewayError} `misbehaving` or `too_large` for other bytes than expected */
export async function readExpected(
  client: Pick<ArweaveClient, 'data'>,
  id: string,
  { bytes, sha256 }: ExpectedData,
): Promise<void> {
  const data = await client.data(id, { limit: bytes });
  if (hash('sha256', data) === sha256) return;
  throw new GatewayError(
    'misbehaving',
    `The gateway returned bytes for transaction ${id} that differ from those posted.`,
  );
}

export function sortFailures(errors: readonly GatewayError[]): Pick<ReadBack, 'lacking' | 'unavailable'> {
  const unavailable = errors.filter(({ kind }) => kind === 'unavailable');
  return { unavailable, lacking: errors.filter((error) => !unavailable.includes(error)) };
}

/** Nodes return a pending transaction at another path; many gateways do not. */
async function headerOf(http: GatewayHttp, path: string): Promise<Buffer> {
  const answer = await http.request(path, { limit: MAX_JSON_BYTES });
  if (answer.status === 200) return answer.body;
  if (answer.status === 202) {
    const pending = await http.request(`/unconfirmed_${path.slice(1)}`, { limit: MAX_JSON_BYTES });
    if (pending.status === 200) return pending.body;
  }
  throw refusal(answer, `GET ${path}`);
}

async function textOf(http: GatewayHttp, path: string, pattern: RegExp): Promise<string> {
  const text = (await http.ok(path)).toString().trim();
  if (!pattern.test(text)) throw new GatewayError('unavailable', `The gateway's answer to GET ${path} is malformed.`);
  return text;
}

async function post(http: GatewayHttp, transaction: SignedTransaction, data: Uint8Array) {
  await refuseOtherData(transaction, data);
  const inline = data.byteLength <= CHUNK_BYTES;
  const encoded = Buffer.from(data.buffer, data.byteOffset, inline ? data.byteLength : 0).toString('base64url');
  const answer = await http.request('/tx', {
    method: 'POST',
    body: JSON.stringify({ ...transaction, data: encoded }),
  });
  const outcome = outcomeOf(answer.status, answer.body.toString());
  if (!outcome) throw failureOf(answer.status === 400 ? 'rejected' : 'unavailable', answer, 'POST /tx');
  if (!inline) await postChunks(http, transaction, data);
  else if (outcome === 'known') await postChunks(http, transaction, data).catch(unlessReadBack);
  return outcome;
}

/** The read-back of a mined transaction finds out whether data are missing, and posts them again. */
function unlessReadBack(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}

async function postChunks(http: GatewayHttp, transaction: SignedTransaction, data: Uint8Array): Promise<void> {
  const chunks = await refuseOtherData(transaction, data);
  for (const { start, end, dataPath, offset } of chunks) {
    const chunk = Buffer.from(data.subarray(start, end)).toString('base64url');
    const { data_root, data_size } = transaction;
    const body = JSON.stringify({ data_root, data_size, data_path: dataPath, offset, chunk });
    const answer = await http.request('/chunk', { method: 'POST', body });
    if (!CHUNK_STORED.has(answer.status)) throw failureOf('unavailable', answer, 'POST /chunk');
  }
}

async function refuseOtherData(transaction: SignedTransaction, data: Uint8Array): Promise<readonly DataChunk[]> {
  const { dataRoot, chunks } = await splitData(data);
  if (dataRoot === transaction.data_root && transaction.data_size === String(data.byteLength)) return chunks;
  throw new GatewayError('rejected', `The data do not belong to transaction ${transaction.id}; it was not posted.`);
}

/** For a known transaction nodes respond 208, or 400 with one of two sentences. */
function outcomeOf(status: number, body: string): 'accepted' | 'known' | undefined {
  if (status === 200 || status === 202) return 'accepted';
  if (status === 208 || (status === 400 && /already (on the weave|in the mempool|processed)/i.test(body)))
    return 'known';
  return undefined;
}
