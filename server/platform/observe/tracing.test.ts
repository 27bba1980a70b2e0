import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestsByOperation } from '../../../lab/faults/test-kinds.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { OPERATIONS } from '../../../protocol/operations.ts';
import { ROUTES } from '../../http/rest/routes.ts';
import { captureLog, startTestService, type TestApi, type TestService } from '../../testing/test-service.ts';

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[];
  readonly events?: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

const payloads: string[] = [];
const spans = (): ExportedSpan[] =>
  payloads.flatMap((payload) =>
    JSON.parse(payload).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ExportedSpan[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
const valueIn = (span: ExportedSpan, key: string) => {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

/** Everything that was sent: no string of it may be exported. */
const sent = new Set<string>();
function noteStrings(value: unknown): void {
  if (typeof value === 'string' && value.length >= 8) sent.add(value);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(noteStrings);
}
function noting(service: TestService): TestApi {
  const note = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    for (const segment of path.split(/[/?&=]/)) noteStrings(segment);
    noteStrings(body);
    noteStrings(headers);
  };
  return {
    instituteKeys: service.instituteKeys,
    get(path, headers) {
      note(path, null, headers);
      return service.get(path, headers);
    },
    post(path, body, headers) {
      note(path, body, headers);
      return service.post(path, body, headers);
    },
    request(path, init) {
      note(path, init.body ? JSON.parse(String(init.body)) : null);
      return service.request(path, init);
    },
  };
}

let collector: Server;
let service: TestService;
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      payloads.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
  service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const api = noting(service);
  for (const prepare of Object.values(requestsByOperation(api))) {
    const { method, path, body, headers = {} } = await prepare();
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    expect((await api.request(path, init)).status).toBeLessThan(300);
  }
  await api.get('/api/beos/domain/somebody-private.bsp');
  await api.get(`/api/guardian/accept/${'secret-token-'.repeat(4)}`);
  await api.get('/api/mail/unsubscribe/another-secret-token');
  await api.get('/unknown-private-path/very-secret-value?token=hidden-in-the-query');
  await api.get('/api/exchange/records?consent_token=private-consent-token');
  await api.post('/api/relayer/beo', '{"broken-json": "private-value');
  await api.get('/api/trpc/explore.search?input=%7B%22private-words%22%3A1%7D');
  const waiting = async () => (await service.get('/ready')).body.backlog.entries;
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 240_000, interval: 200 });
  await service.stop();
});
afterAll(() => {
  collector.close();
});

test('a write is one trace: request, authorize, queue, commit', () => {
  const request = spans().find((span) => valueIn(span, 'perpetua.operation') === 'createBEO');
  expect(request).toMatchObject({ name: 'POST /api/relayer/beo' });
  const children = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(children.map(({ name }) => name).sort()).toEqual(['authorize', 'commit', 'queue']);
  expect(new Set(children.map(({ traceId }) => traceId))).toEqual(new Set([request?.traceId]));
});

test('every operation, relaying and confirming are traced', () => {
  const operations = new Set(spans().map((span) => valueIn(span, 'perpetua.operation')));
  expect(OPERATIONS.filter(({ name }) => !operations.has(name)).map(({ name }) => name)).toEqual([]);
  expect(spans().map(({ name }) => name)).toEqual(expect.arrayContaining(['relay', 'confirm']));
});

test('no exported attribute contains anything but values of the tables', () => {
  const routes = new Set([...ROUTES.map(({ path }) => path), '/api/trpc', 'unmatched']);
  const methods = new Set(['GET', 'POST', 'DELETE']);
  const count = { has: (value: unknown) => Number.isInteger(Number(value)) };
  const allowed: Record<string, { has(value: never): boolean }> = {
    'http.request.method': methods,
    'http.route': routes,
    'http.response.status_code': count,
    'perpetua.operation': new Set(OPERATIONS.map(({ name }) => name)),
    'error.type': new Set(Object.keys(ERRORS)),
    'perpetua.batch.operations': count,
    'perpetua.relay.operations': count,
    'perpetua.confirm.bundles': count,
  };
  const named = new Set(['authorize', 'queue', 'commit', 'relay', 'confirm']);
  for (const span of spans()) {
    const [method = '', route = ''] = span.name.split(' ');
    expect(named.has(span.name) || (methods.has(method) && routes.has(route)), span.name).toBe(true);
    for (const { key, value } of span.attributes) {
      const known = allowed[key]?.has((value.stringValue ?? value.intValue) as never);
      expect(known, `${key}=${JSON.stringify(value)}`).toBe(true);
    }
    expect([span.events ?? [], span.links ?? [], span.status?.message]).toEqual([[], [], undefined]);
  }
});

test('no string that was sent is exported: no token, name, domain, key, signature or message', () => {
  const exported = payloads.join('\n');
  // Names of operations are signed too, and are exported on purpose, as are the words of the routes.
  const words = ROUTES.flatMap(({ path }) => path.split('/'));
  const expected = new Set<string>([
    ...OPERATIONS.flatMap((operation) => [operation.function, operation.name]),
    ...words,
  ]);
  expect(sent.size).toBeGreaterThan(200);
  expect([...sent].filter((text) => !expected.has(text) && exported.includes(text))).toEqual([]);
});

test('a collector that rejects spans is logged once and does not fail requests', async () => {
  const rejecting = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end());
  }).listen(0, '127.0.0.1');
  await once(rejecting, 'listening');
  const endpoint = `http://127.0.0.1:${(rejecting.address() as AddressInfo).port}`;
  const { log, lines } = captureLog();
  const other = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { log });
  expect((await other.get('/api/ledger')).status).toBe(200);
  await other.stop();
  rejecting.close();
  expect(lines.filter((line) => JSON.stringify(line).includes('traces cannot be exported'))).toHaveLength(1);
});
