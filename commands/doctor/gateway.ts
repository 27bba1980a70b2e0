import { createArweaveClient, GatewayError } from '../../server/network/arweave-client.ts';
import { CHUNK_BYTES } from '../../server/network/arweave-transaction.ts';
import { createGatewayHttp, type GatewayHttp } from '../../server/network/gateway-http.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { type Check, type Finding, failure, note, reasonOf, warning } from './check.ts';

const TIMEOUT_MS = 10_000;
/** Answers to a path that a gateway or node does not have. */
const NOT_SERVED = new Set([400, 404, 405, 410, 421, 501]);
/** The newest blocks in which a transaction with data is searched. */
const BLOCKS = 5;
const UNKNOWN_ID = 'A'.repeat(43);

/** What each endpoint is for. */
const USES = {
  '/info': 'the height of the network is not known, so nothing is posted',
  '/tx_anchor': 'nothing can be signed',
  '/price': 'the price of a bundle is not known, so nothing is posted',
  '/wallet': 'the balance is not known, so nothing is posted',
  '/tx/…/status': 'bundles are never confirmed',
  '/block/height': 'the time of a block is not known',
  '/chunk': 'bundles above 256 KiB cannot be posted, nor data that the network lost',
  '/raw and /<id>': 'bundles cannot be read back, so they never become final',
  '/graphql': 'verify, restore and the check for lost operations at the start cannot list what the wallet posted',
} as const;

type Endpoint = keyof typeof USES;
/** Null if it answers. `lacks`: it does not have the endpoint. */
type Problem = { readonly lacks: boolean; readonly reason: string } | null;

interface Examined {
  readonly name: string;
  readonly problems: ReadonlyMap<Endpoint, Problem>;
  /** Whether data are read only at /<id>. */
  readonly isWithoutRaw: boolean;
}

/** Every endpoint that relaying, confirming and auditing use. Nothing is posted: the chunk that is sent is not a valid one. */
export const gateway: Check = {
  name: 'gateway',
  skips: ({ ARWEAVE_GATEWAY_URL }) =>
    ARWEAVE_GATEWAY_URL ? null : 'the embedded devnet is used, which is not permanent',
  async run({ ARWEAVE_GATEWAY_URL: urls = [], ARWEAVE_WALLET_FILE = '' }) {
    const { address } = loadWallet(ARWEAVE_WALLET_FILE);
    const all = await Promise.all(
      urls.map((url) => examineGateway(url, urls.length === 1 ? 'gateway' : `gateway ${url}`, address)),
    );
    return all.flatMap((examined) => findingsOn(examined, all));
  },
};

function findingsOn({ name, problems, isWithoutRaw }: Examined, all: readonly Examined[]): Finding[] {
  const found = [...problems].flatMap(([endpoint, problem]): Finding[] => {
    if (problem === null) return [];
    if (!problem.lacks) return [failure(`The ${name} does not answer ${endpoint} (${problem.reason}).`, CHECK)];
    const sentence = `The ${name} has no ${endpoint}`;
    if (all.some((other) => other.problems.get(endpoint) === null)) {
      return [note(`${sentence}; another gateway has.`, 'Nothing has to be done.')];
    }
    const consequence = `${sentence}: ${USES[endpoint]}.`;
    // A node of the network has no list of transactions. The service works without it.
    return [endpoint === '/graphql' ? warning(consequence, ADD) : failure(consequence, ADD)];
  });
  if (!isWithoutRaw) return found;
  return [...found, note(`The ${name} has no /raw; data are read at /<id>.`, 'Nothing has to be done.')];
}

const CHECK = 'Check ARWEAVE_GATEWAY_URL, or use a gateway that serves this endpoint.';
const ADD = 'Add a gateway that has this endpoint to ARWEAVE_GATEWAY_URL.';

async function examineGateway(url: string, name: string, address: string): Promise<Examined> {
  const client = createArweaveClient({ gatewayUrl: url, timeoutMs: TIMEOUT_MS });
  const http = createGatewayHttp(url, TIMEOUT_MS);
  let listed: string | null = null;
  const endpoints: Readonly<Record<Exclude<Endpoint, '/info' | '/raw and /<id>'>, () => Promise<unknown>>> = {
    '/tx_anchor': client.anchor,
    '/price': () => client.price(CHUNK_BYTES),
    '/wallet': () => client.balance(address),
    '/tx/…/status': () => client.status(UNKNOWN_ID),
    '/block/height': async () => client.blockTime(await client.height()),
    '/chunk': () => offerInvalidChunk(http),
    async '/graphql'() {
      const newest = client.bundles({ owner: address, tags: [], limit: 1, newestFirst: true });
      for await (const { id, block } of newest) if (block) listed = id;
    },
  };
  const info = await problemOf(client.height);
  if (info !== null) return { name, problems: new Map([['/info', info]]), isWithoutRaw: false };
  const asked = await Promise.all(
    Object.entries(endpoints).map(async ([endpoint, ask]) => [endpoint as Endpoint, await problemOf(ask)] as const),
  );
  const problems = new Map<Endpoint, Problem>([['/info', null], ...asked]);
  const id = listed ?? (await findData(http).catch(() => null)) ?? UNKNOWN_ID;
  const read = (path: string) => problemOf(() => readData(http, path, id === UNKNOWN_ID));
  const [raw, own] = await Promise.all([read(`/raw/${id}`), read(`/${id}`)]);
  const isWithoutRaw = raw?.lacks === true && own === null;
  problems.set('/raw and /<id>', raw === null || isWithoutRaw ? null : raw.lacks ? own : raw);
  return { name, problems, isWithoutRaw };
}

async function problemOf(ask: () => Promise<unknown>): Promise<Problem> {
  try {
    await ask();
    return null;
  } catch (error) {
    const lacks = error instanceof GatewayError && error.status !== undefined && NOT_SERVED.has(error.status);
    return { lacks, reason: reasonOf(error) };
  }
}

/** A node answers 400 with a code; one for an unknown path has none. */
async function offerInvalidChunk(http: GatewayHttp): Promise<void> {
  const answer = await http.request('/chunk', { method: 'POST', body: '{}' });
  const isServed = answer.status < 400 || (answer.status === 400 && !/not found/i.test(answer.body.toString()));
  if (!isServed) throw new GatewayError('unavailable', `${answer.status}`, answer.status);
}

/** A transaction with data of at most a chunk in the newest blocks; null if there is none. */
async function findData(http: GatewayHttp): Promise<string | null> {
  const read = async (path: string) => JSON.parse((await http.ok(path, { limit: 8 * 1024 * 1024 })).toString());
  const { height } = await read('/info');
  for (let back = 0; back < BLOCKS && height - back >= 0; back += 1) {
    const { txs } = await read(`/block/height/${height - back}`);
    for (const id of txs.slice(0, BLOCKS)) {
      const size = Number((await read(`/tx/${id}`)).data_size);
      if (size > 0 && size <= CHUNK_BYTES) return id;
    }
  }
  return null;
}

/** @param isUnknown whether nobody has it, so that "not found" shows nothing */
async function readData(http: GatewayHttp, path: string, isUnknown: boolean): Promise<void> {
  try {
    await http.ok(path, { limit: CHUNK_BYTES });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind === 'too_large') return;
    if (!(isUnknown && error.kind === 'missing')) throw error;
  }
}
