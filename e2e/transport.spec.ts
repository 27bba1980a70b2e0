import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { surveyInBothThemes } from './survey.ts';

/** Nothing here depends on the size of the window. */
const ANY_SIZE = { tag: '@desktop' };

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

/** One request written as it is, without what fetch would put right. */
async function ask(baseURL: string | undefined, { method = 'GET', path, headers = {} }: Asked) {
  const { hostname, port } = new URL(baseURL ?? '');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, method, path, headers }, resolve).once('error', reject).end();
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

test(
  'a client that offers to upgrade the connection is answered all the same, after a page was opened too',
  ANY_SIZE,
  async ({ page, baseURL }) => {
    await page.goto('/');
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const answer = await ask(baseURL, { path: '/health', headers });
    expect([answer.status, JSON.parse(answer.body).status]).toEqual([200, 'ok']);
  },
);

test(
  'a connection is offered for 90 seconds, which is longer than proxies in front keep theirs',
  ANY_SIZE,
  async ({ baseURL }) => {
    const answer = await ask(baseURL, { path: '/health', headers: { connection: 'keep-alive' } });
    expect(answer.headers['keep-alive']).toBe('timeout=90');
  },
);

test(
  'the absolute form of a request target is taken, and nobody is sent to the host in it',
  ANY_SIZE,
  async ({ baseURL }) => {
    const answer = await ask(baseURL, { path: 'http://elsewhere.example/health' });
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
  },
);

for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND', 'TRACE', 'OPTIONS']) {
  test(`a page does not answer to ${method}`, ANY_SIZE, async ({ baseURL }) => {
    const answer = await ask(baseURL, { method, path: '/' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });
}

for (const path of [
  '/explore/%',
  '/recover/%ZZ',
  '/guardian/accept/%E0%A4%A',
  '/api/guardian/accept/%ZZ',
  '/icons/%',
]) {
  test(
    `at ${path}, which nothing can decode, there is no page, and that is said in the visitor's language`,
    ANY_SIZE,
    async ({ baseURL }) => {
      const headers = { accept: 'text/html', 'accept-language': 'es' };
      const answer = await ask(baseURL, { path: `${path}?lang=pt-BR`, headers });
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.body).toContain('<html lang="pt-BR"');
      expect(answer.body).toContain('<title>Não há nenhuma página aqui – Perpetua</title>');
    },
  );
}

for (const path of ['/api/beos/%E0%A4%A', '/api/guardian/accept/%ZZ', '/api/trpc/%', '/api/%']) {
  test(`${path} is nothing of the API, and that is said in the shape of its errors`, ANY_SIZE, async ({ baseURL }) => {
    const answer = await ask(baseURL, { path, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
  });
}

const ELSEWHERE = [
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

for (const path of ELSEWHERE) {
  test(`${path} leads to no page`, ANY_SIZE, async ({ baseURL }) => {
    expect((await ask(baseURL, { path, headers: { accept: 'text/html' } })).status).toBe(404);
  });
}

for (const path of [
  ...ELSEWHERE,
  '/',
  '/explore',
  '/nosuch',
  '/_next/static/nosuch.js',
  '/%5fnext/static/x',
  '/api/trpc/a/b',
]) {
  test(`no action is looked for where ${path} is posted to`, ANY_SIZE, async ({ baseURL }) => {
    const headers = { 'next-action': '00'.repeat(21), 'content-type': 'text/plain;charset=UTF-8' };
    const answer = await ask(baseURL, { method: 'POST', path, headers });
    expect([404, 405]).toContain(answer.status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-nextjs'))).toEqual([]);
    expect(JSON.parse(answer.body).code).toMatch(/^(NOT_FOUND|METHOD_NOT_ALLOWED)$/);
  });
}

for (const path of ['/explore/', '//explore', '/explore//', '///explore?q=1']) {
  test(`${path} is sent to the one address of its page`, ANY_SIZE, async ({ baseURL }) => {
    const answer = await ask(baseURL, { path });
    expect([answer.status, answer.headers.location]).toEqual([308, path.includes('?') ? '/explore?q=1' : '/explore']);
  });
}

test('a host with two slashes before it is no address to be sent to', ANY_SIZE, async ({ baseURL }) => {
  expect((await ask(baseURL, { path: '//elsewhere.example/' })).headers.location).toBe('/elsewhere.example');
});

for (const path of ['/', '/nosuch', '/explore/x', '/guardian/accept/x', '/explore/%', '/icons/nosuch']) {
  test(
    `at ${path} a program is told in the shape of errors that there is only a page`,
    ANY_SIZE,
    async ({ baseURL }) => {
      const answer = await ask(baseURL, { path, headers: { accept: 'application/json' } });
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      const body = JSON.parse(answer.body);
      expect(body).toMatchObject({ code: 'NOT_FOUND', request_id: answer.headers['x-request-id'] });
    },
  );
}

test('nothing of the service is shown in a frame of another site', ANY_SIZE, async ({ page, baseURL }) => {
  const paths = ['/', '/nosuch', '/icons/nosuch', '/icons/icon-192.png', '/_next/nosuch', '/_next/static/nosuch.js'];
  const all = [...paths, '/explore/%', '/api/ledger', '/api/nowhere', '/health', '/check-proof.mjs', '/favicon.ico'];
  for (const path of all) {
    const { headers } = await ask(baseURL, { path, headers: { accept: 'text/html' } });
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
  const frames = all.map((path) => `<iframe src="${baseURL}${path}"></iframe>`).join('');
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!DOCTYPE html>${frames}` }),
  );
  await page.goto('http://elsewhere.example/', { waitUntil: 'load' });
  const shown = page.frames().slice(1);
  expect(shown).toHaveLength(all.length);
  for (const frame of shown) expect(frame.url()).not.toContain(baseURL);
});

test('over the limit a person is told to wait, in their language; guardian links still open', async ({
  browser,
  baseURL,
}, info) => {
  const address = { 'x-forwarded-for': info.project.name === 'phone' ? '203.0.113.7' : '203.0.113.8' };
  for (let reads = 0; reads < 310; reads++) await ask(baseURL, { path: '/api/trpc/nowhere', headers: address });
  const context = await browser.newContext({ extraHTTPHeaders: address, locale: 'es-ES' });
  const page = await context.newPage();
  const answer = await page.goto(`${baseURL}/explore`);
  expect(answer?.status()).toBe(429);
  const headers = (await answer?.allHeaders()) ?? {};
  expect(headers['retry-after']).toMatch(/^\d+$/);
  await expect(page.getByRole('heading', { name: 'Espere un momento' })).toBeVisible();
  await expect(page.getByText(headers['x-request-id'] ?? 'no id')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Intentar de nuevo' })).toHaveCSS('border-radius', '6px');
  await surveyInBothThemes(page, 'over-the-limit', info);
  expect((await page.goto(`${baseURL}/explore?lang=pt-BR`))?.status()).toBe(429);
  await expect(page.getByRole('heading', { name: 'Aguarde um momento' })).toBeVisible();
  expect((await page.goto(`${baseURL}/guardian/accept/${'x'.repeat(43)}`))?.status()).toBe(404);
  await context.close();
  const program = await ask(baseURL, { path: '/nosuch', headers: { ...address, accept: 'application/json' } });
  expect(JSON.parse(program.body).code).toBe('NOT_FOUND');
});

test('what the API does not have is said in the shape of its errors', ANY_SIZE, async ({ baseURL }) => {
  const answer = await ask(baseURL, { path: '/api/guardian/nothing' });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
});
