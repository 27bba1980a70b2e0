import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Responds to a request, or returns false to forward it. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface BadGateway {
  readonly url: string;
  /** The requested paths. */
  readonly asked: string[];
}

/** A server with a given misbehaviour that forwards all other requests to an honest gateway, if there is one. */
export async function badGateway(misbehaviour: Misbehaviour, honestUrl?: string): Promise<BadGateway> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    if (await misbehaviour(request, response)) return;
    if (honestUrl === undefined) return void response.writeHead(404).end('Not Found.');
    const body = request.method === 'POST' ? { method: 'POST', body: await text(request) } : {};
    const answer = await fetch(`${honestUrl}${request.url}`, body);
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
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
