import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { clientOf, testDevnet } from '../../server/network/devnet/test-devnet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { createForgingRelayer } from './test-relayer.ts';

/** Responds to a request, or returns false to forward it. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface BadGateway {
  readonly url: string;
  /** The requested paths. */
  readonly asked: string[];
}

/**
 * A server with a given misbehaviour that forwards all other requests to an honest gateway, if there is one.
 * @param onFinished the `onTestFinished` of a concurrent test's context
 */
export async function badGateway(
  misbehaviour: Misbehaviour,
  honestUrl?: string,
  onFinished: typeof onTestFinished = onTestFinished,
): Promise<BadGateway> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    if (await misbehaviour(request, response)) return;
    if (honestUrl === undefined) return void response.writeHead(404).end('Not Found.');
    const body = request.method === 'POST' ? { method: 'POST', body: await text(request) } : {};
    const answer = await fetch(`${honestUrl}${request.url}`, body).catch(() => null);
    if (!answer) return void response.destroy();
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** An edge of the GraphQL response with transactions. */
export const edge = (number: number, more: object = {}) => ({
  cursor: `cursor ${number}`,
  node: {
    id: String(number).padStart(43, 'x'),
    tags: [
      { name: 'First-Seq', value: String(number + 1) },
      { name: 'Last-Seq', value: String(number + 1) },
    ],
    block: { height: number, timestamp: 1_700_000_000 + number },
    ...more,
  },
});

export const page = (edges: readonly object[]): string =>
  JSON.stringify({ data: { transactions: { pageInfo: { hasNextPage: true }, edges } } });

/** Responds to each query with the page after its cursor (null for the first page). */
export const listing =
  (pageAfter: (cursor: string | null) => string): Misbehaviour =>
  async (request, response) => {
    if (request.url !== '/graphql') return false;
    const { variables } = JSON.parse(await text(request)) as { variables: { after?: string } };
    response.end(pageAfter(variables.after ?? null));
    return true;
  };

/** Changes the pages of an honest gateway's list. */
export const changingList =
  (honestUrl: string, change: (list: string, query: string) => string): Misbehaviour =>
  async (request, response) => {
    if (request.url !== '/graphql') return false;
    const query = await text(request);
    const answer = await fetch(`${honestUrl}/graphql`, { method: 'POST', body: query });
    response.end(change(await answer.text(), query));
    return true;
  };

/** Leaves out transactions from a page. */
export const without =
  (...ids: readonly string[]) =>
  (list: string): string => {
    const answer = JSON.parse(list);
    const { transactions } = answer.data;
    transactions.edges = transactions.edges.filter(({ node }: { node: { id: string } }) => !ids.includes(node.id));
    return JSON.stringify(answer);
  };

/** Responds to each request for the data of a transaction with what `change` makes of it. */
export const changingData =
  (honestUrl: string, change: (data: Buffer, id: string) => Buffer | Promise<Buffer>): Misbehaviour =>
  async ({ url = '' }, response) => {
    if (!url.startsWith('/raw/')) return false;
    const answer = await fetch(`${honestUrl}${url}`);
    response.end(await change(Buffer.from(await answer.arrayBuffer()), url.slice('/raw/'.length)));
    return true;
  };

/** Responds to each request for data with gzip that unpacks to 80 MiB. */
export const packed: Misbehaviour = ({ url = '' }, response) => {
  if (!url.startsWith('/raw/')) return false;
  response.writeHead(200, { 'content-encoding': 'gzip' });
  const gzip = createGzip();
  gzip.pipe(response);
  for (let megabytes = 0; megabytes < 80; megabytes += 1) gzip.write(Buffer.alloc(1024 * 1024));
  gzip.end();
  return true;
};

/** A ledger of three bundles on a devnet, with the ids of their transactions in order. */
export async function sampleLedger(relayerSeed: Buffer<ArrayBuffer>) {
  const devnet = await testDevnet();
  const wallet = loadWallet(devnet.wallet);
  const relayer = createForgingRelayer({ client: clientOf(devnet), wallet }, relayerSeed);
  const { person, beoId, draft } = relayer.create('anna.bsp');
  const ids: string[] = [];
  for (const next of [draft, relayer.act(person, beoId, 'lockBEO'), relayer.act(person, beoId, 'unlockBEO')]) {
    ids.push(await relayer.post([relayer.write(next)]));
    await devnet.mine();
  }
  return { devnet, relayer, person, beoId, ids, wallet };
}
