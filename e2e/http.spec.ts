import { randomInt } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { checkScreenInBothThemes } from './check-screen.ts';

/** The result does not depend on the size of the window, so one project is enough. */
const ANY_SIZE = { tag: '@desktop' };

interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

/** Sends a request target as it is, which fetch would normalize. */
async function send(baseURL: string | undefined, { method = 'GET', path, headers = {} }: RawRequest) {
  const { hostname, port } = new URL(baseURL ?? '');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, method, path, headers }, resolve).once('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test(
  'a request that offers an upgrade to h2c gets a response, also after a page was opened',
  ANY_SIZE,
  async ({ page, baseURL }) => {
    await page.goto('/');
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const response = await send(baseURL, { path: '/health', headers });
    expect([response.status, JSON.parse(response.body).status]).toEqual([200, 'ok']);
  },
);

test(
  'connections are kept alive for 90 seconds, longer than proxies in front keep theirs',
  ANY_SIZE,
  async ({ baseURL }) => {
    const response = await send(baseURL, { path: '/health', headers: { connection: 'keep-alive' } });
    expect(response.headers['keep-alive']).toBe('timeout=90');
  },
);

test('a request target in absolute form is accepted and not redirected to its host', ANY_SIZE, async ({ baseURL }) => {
  const response = await send(baseURL, { path: 'http://elsewhere.example/health' });
  expect([response.status, response.headers.location]).toEqual([200, undefined]);
});

for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND', 'TRACE', 'OPTIONS']) {
  test(`${method} on a page responds with 405`, ANY_SIZE, async ({ baseURL }) => {
    const response = await send(baseURL, { method, path: '/' });
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });
}

for (const path of [
  '/explore/%',
  '/recover/%ZZ',
  '/guardian/accept/%E0%A4%A',
  '/api/guardian/accept/%ZZ',
  '/g/%E0%A4%A',
  '/icons/%',
]) {
  test(
    `${path}, which cannot be decoded, responds with a 404 page in the visitor's language`,
    ANY_SIZE,
    async ({ baseURL }) => {
      const headers = { accept: 'text/html', 'accept-language': 'es' };
      const response = await send(baseURL, { path: `${path}?lang=pt-BR`, headers });
      expect([response.status, response.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(response.body).toContain('<html lang="pt-BR"');
      expect(response.body).toContain('<title>Página não encontrada – Perpetua</title>');
    },
  );
}

for (const path of ['/api/beos/%E0%A4%A', '/api/guardian/accept/%ZZ', '/api/trpc/%', '/api/%']) {
  test(`${path} of the API responds with a 400 error as JSON`, ANY_SIZE, async ({ baseURL }) => {
    const response = await send(baseURL, { path, headers: { accept: 'application/json' } });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
}

/** Paths that must not lead to another page after normalization or decoding. */
const TRAVERSALS = [
  '/_next/static/../../explore',
  '/_next/static/%2e%2e/%2E%2e/explore',
  '/_next/static/..%2f..%2fexplore',
  '/_next/static/..%5c..%5cexplore',
  '/_next/static/..\\..\\explore',
  '/_next/static/%252e%252e/explore',
  '/icons/../explore',
  '/explore/.',
  '/./explore',
  '/api/trpc/../../explore',
  '/_next/image?url=%2Ficons%2Ficon-192.png&w=640&q=75',
];

for (const path of TRAVERSALS) {
  test(`${path} leads to no page`, ANY_SIZE, async ({ baseURL }) => {
    const expected = path.startsWith('/api/') ? 400 : 404;
    expect((await send(baseURL, { path, headers: { accept: 'text/html' } })).status).toBe(expected);
  });
}

for (const path of [
  ...TRAVERSALS,
  '/',
  '/explore',
  '/nosuch',
  '/_next/static/nosuch.js',
  '/%5fnext/static/x',
  '/api/trpc/a/b',
]) {
  test(`a POST to ${path} calls no server action`, ANY_SIZE, async ({ baseURL }) => {
    const headers = { 'next-action': '00'.repeat(21), 'content-type': 'text/plain;charset=UTF-8' };
    const response = await send(baseURL, { method: 'POST', path, headers });
    expect([400, 404, 405]).toContain(response.status);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('x-nextjs'))).toEqual([]);
    expect(JSON.parse(response.body).code).toMatch(/^(NOT_FOUND|METHOD_NOT_ALLOWED|VALIDATION_FAILED)$/);
  });
}

for (const path of ['/explore/', '//explore', '/explore//', '///explore?q=1']) {
  test(`${path} redirects to the canonical address of its page`, ANY_SIZE, async ({ baseURL }) => {
    const response = await send(baseURL, { path, headers: { accept: 'text/html' } });
    expect([response.status, response.headers.location]).toEqual([
      308,
      path.includes('?') ? '/explore?q=1' : '/explore',
    ]);
  });
}

test('a target that starts with two slashes does not redirect to another host', ANY_SIZE, async ({ baseURL }) => {
  const response = await send(baseURL, { path: '//elsewhere.example/', headers: { accept: 'text/html' } });
  expect(response.headers.location).toBe('/elsewhere.example');
});

for (const path of ['/', '/nosuch', '/explore/x', '/guardian/accept/x', '/g/x', '/explore/%', '/icons/nosuch']) {
  test(`${path} responds to a JSON client with a 404 error as JSON`, ANY_SIZE, async ({ baseURL }) => {
    const response = await send(baseURL, { path, headers: { accept: 'application/json' } });
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    const body = JSON.parse(response.body);
    expect(body).toMatchObject({ code: 'NOT_FOUND', request_id: response.headers['x-request-id'] });
  });
}

for (const path of ['/nosuch', '/v1/nosuch', '/explore/%', '/icons/nosuch', '/me/records/nosuch']) {
  test(`${path} responds to a client that names no type with a 404 error as JSON`, ANY_SIZE, async ({ baseURL }) => {
    for (const headers of [{}, { accept: '*/*' }, { accept: '*/*', 'accept-encoding': 'gzip' }]) {
      const response = await send(baseURL, { path, headers });
      expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(response.body)).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await send(baseURL, { path: '/explore', headers: { accept: '*/*' } })).headers['content-type']).toMatch(
      /html/,
    );
  });
}

test('a private page that does not exist responds to a browser with a 404 page', ANY_SIZE, async ({ baseURL }) => {
  const read = (path: string) => send(baseURL, { path, headers: { accept: 'text/html' } });
  const { status, headers } = await read('/me/records/nosuch');
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect((await read('/me/records/BSP-GL-001')).status).toBe(200);
});

test('no response can be framed by another site', ANY_SIZE, async ({ page, baseURL }) => {
  const paths = ['/', '/nosuch', '/icons/nosuch', '/icons/icon-192.png', '/_next/nosuch', '/_next/static/nosuch.js'];
  const allPaths = [
    ...paths,
    '/explore/%',
    '/api/ledger',
    '/api/nowhere',
    '/health',
    '/check-proof.mjs',
    '/favicon.ico',
  ];
  for (const path of allPaths) {
    const { headers } = await send(baseURL, { path, headers: { accept: 'text/html' } });
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    expect([path, headers['x-content-type-options'], headers['x-request-id']]).toEqual([
      path,
      'nosniff',
      expect.anything(),
    ]);
  }
  const iframes = allPaths.map((path) => `<iframe src="${baseURL}${path}"></iframe>`).join('');
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!DOCTYPE html>${iframes}` }),
  );
  await page.goto('http://elsewhere.example/', { waitUntil: 'load' });
  const frames = page.frames().slice(1);
  expect(frames).toHaveLength(allPaths.length);
  for (const frame of frames) expect(frame.url()).not.toContain(baseURL);
});

test('over the rate limit, pages ask the visitor to wait in their language, and guardian links still open @desktop @long', async ({
  browser,
  baseURL,
}, info) => {
  const address = { 'x-forwarded-for': '203.0.113.7' };
  for (let reads = 0; reads < 310; reads++) await send(baseURL, { path: '/api/trpc/nowhere', headers: address });
  const context = await browser.newContext({ extraHTTPHeaders: address, locale: 'es-ES' });
  const page = await context.newPage();
  const response = await page.goto(`${baseURL}/explore`);
  expect(response?.status()).toBe(429);
  const headers = (await response?.allHeaders()) ?? {};
  expect(headers['retry-after']).toMatch(/^\d+$/);
  await expect(page.getByRole('heading', { name: 'Espere un momento' })).toBeVisible();
  await expect(page.getByText(headers['x-request-id'] ?? 'no id')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Intentar de nuevo' })).toHaveCSS('border-radius', '6px');
  await checkScreenInBothThemes(page, 'over-the-limit', info);
  expect((await page.goto(`${baseURL}/explore?lang=pt-BR`))?.status()).toBe(429);
  await expect(page.getByRole('heading', { name: 'Aguarde um momento' })).toBeVisible();
  expect((await page.goto(`${baseURL}/guardian/accept/${'x'.repeat(43)}`))?.status()).toBe(404);
  await context.close();
  const json = await send(baseURL, { path: '/nosuch', headers: { ...address, accept: 'application/json' } });
  expect(JSON.parse(json.body).code).toBe('NOT_FOUND');
});

test('an unknown API path responds with a 404 error as JSON', ANY_SIZE, async ({ baseURL }) => {
  const response = await send(baseURL, { path: '/api/guardian/nothing' });
  expect(response.status).toBe(404);
  expect(JSON.parse(response.body)).toMatchObject({ code: 'NOT_FOUND' });
});

// What is refused, and until when, is tested with a clock (server/http/limits/limiter.test.ts).
test('the entries as a file have a limit of their own, which their headers report', ANY_SIZE, async ({ baseURL }) => {
  // No other request has this address, also not of an earlier run against the same server.
  const address = `100.64.${randomInt(256)}.${randomInt(256)}`;
  const headers = { 'x-forwarded-for': address, accept: 'text/csv' };
  const response = await send(baseURL, { path: '/explore/entries.csv', headers });
  expect([response.status, response.headers['ratelimit-policy']]).toEqual([200, '"entry_export";q=5;w=60']);
  expect(response.headers.ratelimit).toMatch(/^"entry_export";r=4;t=\d+$/);
});
