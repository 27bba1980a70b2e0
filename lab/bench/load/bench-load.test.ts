import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { closedLoop, type Load, openLoop, summariseLatencies } from './bench-load.ts';
import { getRequest, postRequest } from './http-request.ts';

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

const loadOf = (port: number, requests: readonly Buffer[], more: Partial<Load> = {}): Load => ({
  port,
  requests,
  connections: 4,
  expectedStatus: 200,
  maxSeconds: 20,
  ...more,
});

describe('the closed loop', () => {
  it('sends every request once, on the given number of connections, one at a time on each', async () => {
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

  it('sends every request from another client address', async () => {
    const addresses: unknown[] = [];
    const port = await listen((request, response) => {
      addresses.push(request.headers['x-forwarded-for']);
      response.end('{}');
    });
    await closedLoop(loadOf(port, numbered(300)));
    expect(new Set(addresses).size).toBe(300);
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
    await closedLoop(loadOf(port, requests, { connections: 1, expectedStatus: 201 }));
    expect(bodies.map(({ length }) => length)).toEqual([9, 100_008]);
  });

  it('fails at one wrong status among many right ones, and reports the response', async () => {
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

  it('fails at its time limit', async () => {
    const port = await listen(() => undefined);
    await expect(closedLoop(loadOf(port, numbered(2), { maxSeconds: 0.2 }))).rejects.toThrow('not finished after 0.2');
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

  it('includes the wait of requests that were due while the server was blocked', async () => {
    let responses = 0;
    const port = await listen(async (_, response) => {
      if (responses++ === 0) await sleep(300);
      response.end('{}');
    });
    const load = loadOf(port, numbered(21), { connections: 1 });
    const { latencies } = await openLoop({ ...load, perSecond: 100 });
    // The only connection is blocked for 300 ms, so the second request, due at 10 ms, waits 290 ms.
    expect(latencies.max).toBeGreaterThanOrEqual(290);
    expect(latencies.p50).toBeGreaterThanOrEqual(150);
  });
});

describe('the percentiles of latencies, by nearest rank', () => {
  it('are the 50th, the 99th and the last of 100 values in any order', () => {
    const values = Float64Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1);
    expect(summariseLatencies(values)).toEqual({ p50: 50, p99: 99, max: 100 });
  });

  it('have a slow p99 when more than one response in a hundred is slow', () => {
    const oneSlow = Float64Array.from({ length: 101 }, (_, index) => (index === 0 ? 900 : 1));
    const twoSlow = Float64Array.from({ length: 101 }, (_, index) => (index < 2 ? 900 : 1));
    expect(summariseLatencies(oneSlow).p99).toBe(1);
    expect(summariseLatencies(twoSlow).p99).toBe(900);
  });

  it('are all the same for a single value', () => {
    expect(summariseLatencies(Float64Array.of(7))).toEqual({ p50: 7, p99: 7, max: 7 });
  });
});
