import { buffer } from 'node:stream/consumers';
import { validateChunk, validateTransaction } from './admission.ts';
import type { Block, ChainRecord, ChainTransaction } from './devnet-chain.ts';
import { type Answer, type DevnetRequest, json, text } from './devnet-server.ts';
import type { Faults } from './faults.ts';
import { answerGraphql } from './graphql.ts';
import { priceOf } from './price.ts';
import type { DevnetState } from './state.ts';

/** `gateway`: nodes do not have it. */
type Served = 'everywhere' | 'gateway';
type Handler = (parameters: string[], request: DevnetRequest) => Answer | Promise<Answer>;

const ID = '([A-Za-z0-9_-]{43})';
const NUMBER = '(\\d{1,15})';
const notFound = text(404, 'Not Found.');
const pending = text(202, 'Pending');

/**
 * The endpoints of an Arweave gateway or node, with the network's paths, states and messages.
 * Differences: the data of a pending transaction return 202; the proof of a transaction within its block is empty.
 */
export function createGateway(state: DevnetState, faults: Faults) {
  const { chain, weave, journal } = state;

  const withTransaction =
    (
      answer: (
        transaction: ChainTransaction,
        place: NonNullable<ChainTransaction['place']>,
      ) => Answer | Promise<Answer>,
    ) =>
    ([id = '']: string[]) => {
      const transaction = chain.transaction(id);
      if (!transaction) return notFound;
      return transaction.place ? answer(transaction, transaction.place) : pending;
    };

  async function postTransaction(_: string[], request: DevnetRequest): Promise<Answer> {
    state.postedAtHeight = chain.height;
    const verdict = await validateTransaction(chain, request.json());
    if ('refused' in verdict) return text(400, verdict.refused);
    const id = 'known' in verdict ? verdict.known : verdict.transaction.id;
    const known = chain.transaction(id);
    if (known) {
      await journal.settled(known.at);
      return text(208, 'Transaction already processed.');
    }
    if ('known' in verdict) return text(400, 'Transaction verification failed: try again.');
    if (faults.take('drop')) return text(200, 'OK');
    const { transaction } = verdict;
    const data = faults.take('lose') ? new Uint8Array(0) : verdict.data;
    await state.commit({ kind: 'transaction', transaction, inline: data.length > 0 }, data);
    return faults.take('cut') ? 'cut' : text(200, 'OK');
  }

  async function postChunk(_: string[], request: DevnetRequest): Promise<Answer> {
    const verdict = await validateChunk(weave, request.json());
    if ('refused' in verdict) return json(400, { error: verdict.refused });
    const { dataRoot, dataSize, start, bytes } = verdict;
    const stored = weave.chunk(dataRoot, dataSize, start);
    if (stored) await journal.settled(stored.at);
    else {
      const place = { data_root: dataRoot, data_size: dataSize, start, length: bytes.length };
      await state.commit({ kind: 'chunk', ...place }, bytes);
    }
    // What a tip of a gateway answers: the chunk is stored for now.
    return state.kind === 'gateway' ? text(303, '{}') : text(200, 'OK');
  }

  async function header(transaction: ChainTransaction): Promise<Answer> {
    const record = (await journal.header(transaction.at)) as ChainRecord;
    if (record.kind !== 'transaction') return notFound;
    return json(200, { ...record.transaction, data: '', data_tree: [] });
  }

  function data(transaction: ChainTransaction): Answer {
    const body = weave.pieces(transaction);
    const type = transaction.tags.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
    if (!body) return notFound;
    return {
      status: 200,
      type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      headers: { 'content-length': String(transaction.dataSize) },
      body,
    };
  }

  async function encodedData(transaction: ChainTransaction): Promise<Answer> {
    const body = weave.pieces(transaction);
    return body ? text(200, (await buffer(body)).toString('base64url')) : notFound;
  }

  async function chunk([offset = '']: string[]): Promise<Answer> {
    const transaction = chain.transactionAtWeaveOffset(Number(offset));
    if (!transaction?.place) return notFound;
    const within = Number(offset) - 1 - (transaction.place.weaveEnd - transaction.dataSize);
    const proven = await weave.provenChunk(transaction, within);
    if (!proven) return notFound;
    const { bytes, dataPath } = proven;
    return json(200, { chunk: bytes.toString('base64url'), data_path: dataPath, tx_path: '', packing: 'unpacked' });
  }

  const routes: [string, RegExp, Handler, Served?][] = [
    ['GET', path('/info'), () => json(200, info(state))],
    ['GET', path('/height'), () => text(200, String(chain.height))],
    ['GET', path('/peers'), () => json(200, [])],
    ['GET', path('/tx_anchor'), () => text(200, chain.suggestedAnchor())],
    [
      'GET',
      path(`/price/${NUMBER}(?:/${ID})?`),
      ([bytes]) => text(200, String(priceOf(Number(bytes)) * faults.priceFactor())),
    ],
    ['GET', path(`/wallet/${ID}/balance`), ([address = '']) => text(200, String(chain.balance(address)))],
    ['GET', path(`/wallet/${ID}/last_tx`), ([address = '']) => text(200, chain.lastTransactionOf(address))],
    ['POST', path('/tx'), postTransaction],
    ['POST', path('/chunk'), postChunk],
    ['GET', path(`/tx/${ID}`), withTransaction(header)],
    [
      'GET',
      path(`/unconfirmed_tx/${ID}`),
      ([id = '']) => {
        const transaction = chain.transaction(id);
        return transaction && !transaction.place ? header(transaction) : notFound;
      },
    ],
    [
      'GET',
      path(`/tx/${ID}/status`),
      withTransaction((_, { height }) =>
        json(200, {
          block_height: height,
          block_indep_hash: chain.block(height)?.hash,
          number_of_confirmations: chain.height - height + 1,
        }),
      ),
    ],
    [
      'GET',
      path(`/tx/${ID}/offset`),
      withTransaction(({ dataSize }, { weaveEnd }) => json(200, { size: String(dataSize), offset: String(weaveEnd) })),
    ],
    ['GET', path(`/tx/${ID}/data`), withTransaction(encodedData)],
    ['GET', path(`/chunk/${NUMBER}`), chunk],
    ['GET', path(`/raw/${ID}`), withTransaction(data), 'gateway'],
    ['GET', path(`/${ID}`), withTransaction(data)],
    [
      'GET',
      path(`/block/height/${NUMBER}`),
      ([height]) => {
        const block = chain.block(Number(height));
        return block ? json(200, blockJson(state, block)) : text(404, 'Block not found.');
      },
    ],
    [
      'POST',
      path('/graphql'),
      async (_, request) => {
        const { status, result } = await answerGraphql(state, request.json(), faults.pageSize());
        return json(status, result);
      },
      'gateway',
    ],
  ];

  return async (request: DevnetRequest): Promise<Answer> => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    for (const [routeMethod, pattern, handler, served = 'everywhere'] of routes) {
      if (served === 'gateway' && state.kind === 'node') continue;
      const match = routeMethod === method ? pattern.exec(request.path) : null;
      if (match) return handler(match.slice(1), request);
    }
    return state.kind === 'node' ? text(400, 'Request type not found.') : notFound;
  };
}

const path = (pattern: string) => new RegExp(`^${pattern}$`);

function info({ chain }: DevnetState) {
  return {
    network: 'perpetua.devnet',
    version: 5,
    release: 1,
    height: chain.height,
    current: chain.tip()?.hash ?? '',
    blocks: chain.height + 1,
    peers: 0,
    queue_length: 0,
    node_state_latency: 0,
  };
}

function blockJson({ chain }: DevnetState, block: Block) {
  const transactions = chain.transactionsOf(block);
  return {
    height: block.height,
    indep_hash: block.hash,
    previous_block: chain.block(block.height - 1)?.hash ?? '',
    timestamp: block.timestamp,
    txs: transactions.map(({ id }) => id),
    block_size: String(transactions.reduce((total, { dataSize }) => total + dataSize, 0)),
  };
}
