import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { setContext } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './node.ts';
import { belongsToApi } from './rest/routes.ts';
import { respond } from './web.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT: 'on' });
  setContext(service.service.context);
});
afterAll(() => service.stop());

let lastAddress = 0;

/** Sends a request as Next does, with the client address that main.ts sets. */
async function send(path: string, init: RequestInit = {}, address = `198.51.100.${++lastAddress}`) {
  const request = new Request(`http://localhost:3000${path}`, init);
  request.headers.set(CLIENT_ADDRESS_HEADER, address);
  const response = await respond(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const json = { 'content-type': 'application/json' };

function creation(): string {
  const person = newPerson();
  return JSON.stringify(
    person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null }),
  );
}

test('Next’s route handlers return the same responses as the HTTP server', async () => {
  const created = await send('/api/relayer/beo', { method: 'POST', headers: json, body: creation() });
  expect(created.status).toBe(201);
  const { beo, transactionId } = JSON.parse(created.text);
  expect(created.headers.get('location')).toBe(`/api/transactions/${transactionId}`);
  const read = await send(`/api/beos/domain/${beo.domain.toUpperCase()}?`);
  expect([read.status, JSON.parse(read.text).beo.beo_id]).toEqual([200, beo.beo_id]);
  const direct = await service.get(`/api/beos/${beo.beo_id}`);
  expect(Object.keys(JSON.parse(read.text))).toEqual(Object.keys(direct.body));
  for (const name of ['content-type', 'cache-control', 'access-control-allow-origin', 'ratelimit-policy']) {
    expect(read.headers.get(name)).toBe(direct.headers.get(name));
  }
});

test('a streamed ledger arrives complete', async () => {
  await Promise.all(
    Array.from({ length: 12 }, () => send('/api/relayer/beo', { method: 'POST', headers: json, body: creation() })),
  );
  const { text, headers } = await send('/api/ledger/entries?after=3');
  expect(headers.get('content-type')).toMatch(/^application\/jsonl/);
  const seqs = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).seq);
  expect(seqs).toEqual(Array.from({ length: 10 }, (_, index) => index + 4));
});

test('errors are the same: unknown path, wrong method, invalid body, rate limit', async () => {
  const codes: unknown[] = [];
  const large = new ReadableStream({
    start(controller) {
      for (let chunk = 0; chunk < 5; chunk++) controller.enqueue(new Uint8Array(64 * 1024));
      controller.close();
    },
  });
  const streamed = { method: 'POST', headers: json, body: large, duplex: 'half' } as RequestInit;
  for (const [path, init] of [
    ['/api/nothing', {}],
    ['/api/ledger', { method: 'DELETE' }],
    ['/api/relayer/beo', streamed],
    ['/api/relayer/beo', { method: 'POST', headers: json }],
    ['/api/relayer/beo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: creation() }],
  ] as const) {
    const { status, text } = await send(path, init);
    codes.push([status, JSON.parse(text).code]);
  }
  expect(codes).toEqual([
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [413, 'BODY_TOO_LARGE'],
    [400, 'INVALID_JSON'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]);
  const head = await send('/api/ledger', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  const options = await send('/api/ledger', { method: 'OPTIONS' });
  expect([options.status, options.text]).toEqual([204, '']);

  for (let time = 0; time < 60; time++) await send('/api/ledger', {}, '203.0.113.1');
  expect((await send('/api/ledger', { headers: { 'x-forwarded-for': '10.1.1.1' } }, '203.0.113.1')).status).toBe(429);
  expect((await send('/api/ledger', {}, '203.0.113.2')).status).toBe(200);
});

test('paths belong either to the API or to Next', () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/ledger',
    '/api/nothing/at/all',
    '/health',
    '/ready',
    '/metrics',
    '/api/trpc',
    '/api/trpc/overview',
  ]) {
    expect([path, belongsToApi(path)]).toEqual([path, true]);
  }
  for (const path of ['/', '/apis', '/healthy', '/_next/static/x.js', '/icons/x']) {
    expect([path, belongsToApi(path)]).toEqual([path, false]);
  }
});
