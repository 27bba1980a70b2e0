import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { getRequest, postRequest } from './http-request.ts';
import { closedLoop, type Load, openLoop } from './load.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(answer: RequestListener): Promise<number> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const numbered = (count: number): Buffer[] => Array.from({ length: count }, (_, index) => getRequest(`/${index}`));

const loadOf = (port: number, requests: readonly Buffer[], more: Partial<Load> = {}): Load => ({
  port,
  requests,
  connections: 4,
  expectedStatus: 200,
  maxSeconds: 20,
  ...more,
});

describe('the closed loop', () => {
  it('sends every request once, on as many connections as it was told, one at a time on each', async () => {
    const seen: string[] = [];
    const sockets = new Map<unknown, number>();
    let together = 0;
    const port = await listen(async (request, response) => {
      seen.push(request.url ?? '');
      const underWay = (sockets.get(request.socket) ?? 0) + 1;
      together = Math.max(together, underWay);
      sockets.set(request.socket, underWay);
      await sleep(1);
      sockets.set(request.socket, underWay - 1);
      response.end('{}');
    });
    const result = await closedLoop(loadOf(port, numbered(100)));
    expect(result.requests).toBe(100);
    expect(seen.toSorted()).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}`).toSorted());
    expect(sockets.size).toBe(4);
    expect(together).toBe(1);
    expect(result.seconds).toBeGreaterThan(0);
    expect(result.latencies.p50).toBeGreaterThan(0);
    expect(result.latencies.max).toBeLessThanOrEqual(result.seconds * 1000);
  });

  it('carries bodies whole', async () => {
    const bodies: string[] = [];
    const port = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      response.statusCode = 201;
      response.end('{}');
    });
    const requests = ['{"a":"é"}', `{"a":"${'x'.repeat(100_000)}"}`].map((body) => postRequest('/', body));
    await closedLoop(loadOf(port, requests, { connections: 1, expectedStatus: 201 }));
    expect(bodies.map(({ length }) => length)).toEqual([9, 100_008]);
  });

  it('fails at one wrong status among many right ones, and says what the server said', async () => {
    const port = await listen((request, response) => {
      const refused = request.url === '/37';
      response.statusCode = refused ? 409 : 200;
      response.end(refused ? '{"code":"NONCE_REUSED"}' : '{}');
    });
    await expect(closedLoop(loadOf(port, numbered(60)))).rejects.toThrow('409, not 200: {"code":"NONCE_REUSED"}');
  });

  it('fails when the server closes a connection in the middle of a request', async () => {
    const port = await listen((request, response) => {
      if (request.url === '/5') request.socket.destroy();
      else response.end('{}');
    });
    await expect(closedLoop(loadOf(port, numbered(20)))).rejects.toThrow('closed the connection');
  });

  it('fails when it is not through in time, rather than wait for ever', async () => {
    const port = await listen(() => undefined);
    await expect(closedLoop(loadOf(port, numbered(2), { maxSeconds: 0.2 }))).rejects.toThrow('not through after 0.2');
  });
});

describe('the open loop', () => {
  it('sends no request before it is due', async () => {
    const arrivals: number[] = [];
    const port = await listen((_, response) => {
      arrivals.push(performance.now());
      response.end('{}');
    });
    const start = performance.now();
    const result = await openLoop({ ...loadOf(port, numbered(20)), perSecond: 100 });
    expect(arrivals).toHaveLength(20);
    arrivals.forEach((arrival, index) => void expect(arrival - start).toBeGreaterThanOrEqual(index * 10));
    expect(result.seconds).toBeGreaterThanOrEqual(0.19);
  });

  it('counts the wait of those that were due while the server was stuck', async () => {
    let answered = 0;
    const port = await listen(async (_, response) => {
      if (answered++ === 0) await sleep(300);
      response.end('{}');
    });
    const load = loadOf(port, numbered(21), { connections: 1 });
    const { latencies } = await openLoop({ ...load, perSecond: 100 });
    // Of one connection stuck for 300 ms the second request, due at 10 ms, waits 290; a closed loop would have seen one slow answer.
    expect(latencies.max).toBeGreaterThanOrEqual(290);
    expect(latencies.p50).toBeGreaterThanOrEqual(150);
  });
});
