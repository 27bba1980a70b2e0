import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly requestBody: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the client receives: an altered response, or `lost`: the connection is cut once the service has answered. */
export type Alteration = (passing: Passing) => Altered | Promise<Altered>;
type Altered = Partial<Pick<Passing, 'status' | 'headers' | 'body'>> | 'lost' | undefined;

/** A server in front of the real one, which alters, or loses, its responses. */
export async function startProxy(target: string) {
  const state: { alter: Alteration; requests: Passing[] } = { alter: () => undefined, requests: [] };
  const server = createServer(async (request, response) => {
    const passing = await forwarded(target, request);
    state.requests.push(passing);
    const altered = (await state.alter(passing)) ?? {};
    if (altered === 'lost') return request.socket.destroy();
    response.writeHead(altered.status ?? passing.status, { ...passing.headers, ...altered.headers });
    return response.end(altered.body ?? passing.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    /** How the following responses are altered; not at all without an argument. */
    alter(alteration: Alteration = () => undefined) {
      state.requests.length = 0;
      state.alter = alteration;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function forwarded(target: string, request: IncomingMessage): Promise<Passing> {
  const { method = 'GET', url = '/' } = request;
  const requestBody = (await buffer(request)).toString();
  const headers = { ...request.headers } as Record<string, string>;
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  delete headers.connection;
  const response = await fetch(`${target}${url}`, {
    method,
    headers,
    ...(requestBody === '' ? {} : { body: requestBody }),
  });
  const kept = ['content-type', 'retry-after', 'location', 'x-request-id', 'date'];
  return {
    method,
    path: url,
    requestBody,
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => kept.includes(name))),
    body: await response.text(),
  };
}

/** Loses the first `count` responses to writes. */
export function loseWrites(count: number): Alteration {
  let left = count;
  return ({ method }) => (method !== 'GET' && left-- > 0 ? 'lost' : undefined);
}
