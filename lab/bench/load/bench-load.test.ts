import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { closedLoop } from './bench-load.ts';
import { getRequest, postRequest } from './workloads.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(listener: RequestListener): Promise<number> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const numbered = (count: number): Buffer[] => Array.from({ length: count }, (_, index) => getRequest(`/${index}`));

const load = (port: number, requests: readonly Buffer[], { connections = 4, expectedStatus = 200 } = {}) =>
  closedLoop({ requests, expectedStatus }, port, connections);

describe('the closed loop', () => {
  it('sends every request once, on the given number of connections, one at a time on each, from other addresses', async () => {
    const seen: string[] = [];
    const addresses = new Set<unknown>();
    const sockets = new Map<unknown, number>();
    let together = 0;
    const port = await listen(async (request, response) => {
      seen.push(request.url ?? '');
      addresses.add(request.headers['x-forwarded-for']);
      const underWay = (sockets.get(request.socket) ?? 0) + 1;
      together = Math.max(together, underWay);
      sockets.set(request.socket, underWay);
      await turn();
      sockets.set(request.socket, underWay - 1);
      response.end('{}');
    });
    const result = await load(port, numbered(300));
    expect(result.requests).toBe(300);
    expect(seen.toSorted()).toEqual(Array.from({ length: 300 }, (_, index) => `/${index}`).toSorted());
    expect([sockets.size, together, addresses.size]).toEqual([4, 1, 300]);
    for (const address of addresses) expect(address).toMatch(/^10\.0\.\d{1,3}\.\d{1,3}$/);
  });

  it('sends whole bodies', async () => {
    const bodies: string[] = [];
    const port = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      response.statusCode = 201;
      response.end('{}');
    });
    const requests = ['{"a":"é"}', `{"a":"${'x'.repeat(100_000)}"}`].map((body) => postRequest('/', body));
    await load(port, requests, { connections: 1, expectedStatus: 201 });
    expect(bodies.map(({ length }) => length)).toEqual([9, 100_008]);
  });

  it('fails at one wrong status among many right ones, and reports the response', async () => {
    const port = await listen(({ url }, response) => {
      response.statusCode = url === '/37' ? 409 : 200;
      response.end(url === '/37' ? '{"code":"NONCE_REUSED"}' : '{}');
    });
    await expect(load(port, numbered(60))).rejects.toThrow('409, not 200: {"code":"NONCE_REUSED"}');
  });

  it('fails when the server closes a connection in the middle of a request', async () => {
    const port = await listen((request, response) => {
      if (request.url === '/5') request.socket.destroy();
      else response.end('{}');
    });
    await expect(load(port, numbered(20))).rejects.toThrow('closed the connection');
  });
});
