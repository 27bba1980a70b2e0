import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';

import { isPublic, ROUTES, type Route } from './routes.ts';
import { rawRequest } from './test-requests.ts';

let service: TestService;
let beoId: string;
let domain: string;
beforeAll(async () => {
  service = await startTestService({ SERVICE_NAME: 'custom name' });
  const person = newPerson();
  domain = freshDomain();
  const body = person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });
  beoId = (await service.post('/api/relayer/beo', body)).body.beo_id;
});
afterAll(() => service.stop());

const WRITES = [
  ...['', '/lock', '/unlock', '/rotate-key', '/destroy', '/revoke-all', '/recovery', '/request-recovery'].map(
    (end) => `/api/relayer/beo${end}`,
  ),
  ...['/invite', '/confirm'].map((end) => `/api/guardian${end}`),
  '/api/relayer/consent',
  ...['/export', '/access'].map((end) => `/api/exchange${end}`),
  // GET /api/ieo lists institutions, for earlier SDKs.
  ...['/lock', '/unlock', '/rotate-key', '/destroy', '/contacts', '/recovery', '/approve', '/certification'].map(
    (end) => `/api/ieo${end}`,
  ),
];

const UNKNOWN: [method: string, path: string][] = [
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/beos'],
  ['GET', '/api/beos/'],
  ['GET', `/api/beos/${'a'.repeat(36)}/more`],
  ['GET', '/API/LEDGER'],
  ['GET', '/api/ieos/some-id/certification/more'],
  ['GET', '/api/ieos/domain/some-id/certification'],
  ['GET', '/api/consent'],
  ['DELETE', '/api/consent/'],
  ['DELETE', '/api/consent/ieo/clinic.bsp/more'],
  ['GET', '/api/guardian'],
  ['GET', '/api/guardian/accept'],
  ['GET', '/api/guardian/accept/'],
  ['POST', '/api/guardian/accept/token/more'],
  ['POST', '/api/guardian/confirm-recovery/'],
  ['GET', '/api/exchange'],
  ['GET', '/api/exchange/records/some-id'],
  ['POST', '/api/exchange/export/JSON'],
  ['PATCH', '/api/__proto__'],
];

const AMBIGUOUS = [
  '/api/beos/%E0%A4%A',
  '/api/beos/..',
  '/api/ieos/../ledger',
  '/api/ieos/%2e%2e/ledger',
  '/api/ieos/.%2E/ledger',
  '/api/ieos\\..\\ledger',
  '/api/ieos%2fledger',
  '/api/ieos/%5c..',
  '/api/ieos/%252e%252e/ledger',
];

describe('a path', () => {
  test.each(AMBIGUOUS)('that two parsers could read differently returns 400: %s', async (path) => {
    const { status, headers, body } = await rawRequest(service.url, { method: 'GET', path });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(headers['x-request-id']).toBe(body.request_id);
  });

  test.each(UNKNOWN)('that does not exist returns 404: %s %s', async (method, path) => {
    const { status, headers, body } = await rawRequest(service.url, { method, path });
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect(Object.keys(body)).toEqual(['error', 'code', 'request_id']);
    expect(headers['x-request-id']).toBe(body.request_id);
  });

  test.each(WRITES)('for writes accepts only POST: %s', async (path) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await service.request(path, { method });
      expect([method, status, body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(headers.get('allow')).toBe('POST, OPTIONS');
    }
    const head = await service.request(path, { method: 'HEAD' });
    expect([head.status, head.body, head.headers.get('allow')]).toEqual([405, '', 'POST, OPTIONS']);
  });

  test.each([
    '/api/beos/anna.bsp',
    '/api/beos/domain/anna.bsp',
    '/api/ieos',
    '/api/ieos/clinic.bsp',
    '/api/ieos/domain/clinic.bsp',
    '/api/ieos/clinic.bsp/certification',
    '/api/consent/history/anna.bsp',
    '/api/transactions/x',
    '/api/ledger',
    '/api/ledger/entries',
    '/health',
    '/ready',
    '/metrics',
  ])('for reads accepts only GET and HEAD: %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await service.request(path, { method });
      expect([method, status, body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
  });

  test.each([
    ['/api/consent/all', 'DELETE, OPTIONS', ['GET', 'POST', 'PUT', 'PATCH']],
    ['/api/consent/ieo/clinic.bsp', 'DELETE, OPTIONS', ['GET', 'POST', 'PUT', 'PATCH']],
    ['/api/consent/intent/READ_RECORDS', 'DELETE, OPTIONS', ['GET', 'POST', 'PUT', 'PATCH']],
    ['/api/consent/tok_1', 'DELETE, GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH']],
    ['/api/exchange/records', 'POST, GET, HEAD, OPTIONS', ['DELETE', 'PUT', 'PATCH']],
    ['/api/guardian/accept/token', 'POST, GET, HEAD, OPTIONS', ['DELETE', 'PUT', 'PATCH']],
    ['/api/guardian/confirm-recovery/token', 'POST, GET, HEAD, OPTIONS', ['DELETE', 'PUT', 'PATCH']],
  ])('with other methods returns them in Allow: %s', async (path, allowed, refused) => {
    for (const method of refused) {
      const { status, headers, body } = await service.request(path, { method });
      expect([method, status, body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(headers.get('allow')).toBe(allowed);
    }
    const preflight = await service.request(path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, allowed]);
  });

  test('answers HEAD like GET without the body', async () => {
    for (const path of [`/api/beos/${beoId}`, '/api/ledger/entries', '/health', '/api/beos/unknown.bsp']) {
      const got = await service.get(path);
      const head = await service.request(path, { method: 'HEAD' });
      expect([path, head.status, head.body]).toEqual([path, got.status, '']);
      expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    }
  });

  test('may be percent-encoded', async () => {
    const encoded = domain.replace('.', '%2e').replace(/^p/, '%70');
    expect((await service.get(`/api/beos/domain/${encoded}`)).body.beo.beo_id).toBe(beoId);
    expect((await service.get(`/api/beos/domain/${encoded}?`)).status).toBe(200);
  });
});

describe('a browser on another site', () => {
  const OTHER = 'https://clinic.example';
  const LISTED = 'https://app.example';

  let listing: TestService;
  beforeAll(async () => {
    listing = await startTestService({ CORS_ORIGINS: `https://one.example, ${LISTED}` });
  });
  afterAll(() => listing.stop());

  const allowedBy = async (to: TestService, { method, path }: Route, origin: string) => {
    const concrete = path.replace(/[:*]\w+/g, 'x');
    const answer = await rawRequest(to.url, { method, path: concrete, headers: { origin } });
    const preflight = await to.request(concrete, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
    return [
      answer.headers['access-control-allow-origin'] ?? null,
      preflight.headers.get('access-control-allow-origin'),
    ];
  };

  test.each(
    ROUTES.filter(({ path }) => path !== '/api/ledger/stream').map(
      (route) => [route.method, route.path, route] as const,
    ),
  )(
    'may read answers to %s %s only if they need no signature, link or key, or its origin is listed',
    async (_, __, route) => {
      const open = isPublic(route);
      expect(await allowedBy(service, route, OTHER)).toEqual(open ? ['*', '*'] : [null, null]);
      expect(await allowedBy(listing, route, OTHER)).toEqual(open ? ['*', '*'] : [null, null]);
      expect(await allowedBy(listing, route, LISTED)).toEqual(open ? ['*', '*'] : [LISTED, LISTED]);
    },
  );

  test('the routes that need nothing are reads and the manifests of shares, and none of them is of one person', () => {
    const open = ROUTES.filter(isPublic).map(({ method, path }) => `${method} ${path}`);
    expect(open).toContain('GET /api/ledger');
    expect(open.filter((each) => !each.startsWith('GET '))).toEqual(['POST /api/shares/:id/manifest']);
    expect(open.filter((each) => /guardian|mail|events|exchange|proposals|received/.test(each))).toEqual([]);
  });

  test('receives the allowed methods and headers by OPTIONS', async () => {
    const { status, headers, body } = await listing.request('/api/relayer/beo', {
      method: 'OPTIONS',
      headers: { origin: LISTED, 'access-control-request-method': 'POST' },
    });
    expect([status, body]).toEqual([204, '']);
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('access-control-allow-credentials')).toBe(null);
    expect(headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(headers.get('allow')).toBe('POST, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toMatch(/\bContent-Type\b.*\bX-Institute-Key\b/);
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect((await service.request('/api/nowhere', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('may read every response, errors included, and its headers', async () => {
    for (const path of [`/api/beos/${beoId}`, '/api/beos/unknown.bsp', '/api/nowhere', '/health']) {
      const { headers } = await service.get(path, { origin: 'https://clinic.example' });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      for (const name of [
        'Location',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Request-Id',
        'ETag',
        'X-Perpetua-Seq',
      ]) {
        expect(headers.get('access-control-expose-headers')).toContain(name);
      }
      expect(headers.get('cache-control')).toBe(path.endsWith(beoId) ? 'no-cache' : 'no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('a request', () => {
  test('receives a new id, or keeps its own if that is well-formed', async () => {
    const idOf = async (given: string) =>
      (await service.get('/health', { 'x-request-id': given })).headers.get('x-request-id');
    expect(await idOf('order-1234.5678')).toBe('order-1234.5678');
    for (const malformed of [
      'short',
      'a b c d e f g h',
      'x'.repeat(65),
      '<script>alert(1)</script>',
      `é${randomUUID()}`,
    ]) {
      expect(await idOf(malformed)).toMatch(/^[0-9a-f-]{36}$/);
    }
    const first = await service.get('/health');
    const second = await service.get('/health');
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });
});

describe('the service', () => {
  test('reports health, name and version', async () => {
    const { status, body } = await service.get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', service: 'custom name', version: '1.0.0' });
  });

  test('reports readiness by part', async () => {
    const ready = async () => (await service.get('/ready')).body;
    await expect.poll(ready, { interval: 100 }).toMatchObject({
      status: 'ready',
      ledger: { unanswered: [] },
      backlog: { entries: 0 },
    });
    expect(await ready()).toEqual({
      status: 'ready',
      database: { ok: true },
      ledger: { ok: true, unanswered: [] },
      limiter: { ok: true },
      network: { ok: true, kind: 'devnet', permanent: false, height: expect.any(Number) },
      wallet: {
        ok: true,
        address: service.service.context.network.walletAddress,
        balance_winston: expect.stringMatching(/^\d{18,19}$/),
      },
      storage: { ok: true, used_bytes: expect.any(Number), max_bytes: 100_000_000_000 },
      backlog: { ok: true, entries: 0, oldest_seconds: null, max_entries: 100_000 },
    });
  });

  test('serves metrics by route pattern, without paths', async () => {
    await service.get(`/api/beos/${beoId}`);
    const { status, headers, body } = await service.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(body).toContain('perpetua_operations_accepted_total{operation="createBEO"} 1');
    expect(body).toMatch(
      /perpetua_http_request_seconds_count\{route="\/api\/beos\/:beoId",method="GET",status="200"\} \d+/,
    );
    expect(body).toMatch(/perpetua_requests_refused_total\{code="NOT_FOUND"\} \d+/);
    expect(body).toMatch(/perpetua_backlog_entries \d+/);
    expect(body).not.toContain(beoId);
    expect(body).not.toContain(domain);
  });
});
