import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';

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

test('a client that offers to upgrade the connection is answered all the same, after a page was opened too', async ({
  page,
  baseURL,
}) => {
  await page.goto('/');
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  const answer = await ask(baseURL, { path: '/health', headers });
  expect([answer.status, JSON.parse(answer.body).status]).toEqual([200, 'ok']);
});

test('a connection is offered for 90 seconds, which is longer than proxies in front keep theirs', async ({
  baseURL,
}) => {
  const answer = await ask(baseURL, { path: '/health', headers: { connection: 'keep-alive' } });
  expect(answer.headers['keep-alive']).toBe('timeout=90');
});

test('the absolute form of a request target is taken, and nobody is sent to the host in it', async ({ baseURL }) => {
  const answer = await ask(baseURL, { path: 'http://elsewhere.example/health' });
  expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
});

for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND', 'TRACE', 'OPTIONS']) {
  test(`a page does not answer to ${method}`, async ({ baseURL }) => {
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
  test(`at ${path}, which nothing can decode, there is no page, and that is said in the visitor's language`, async ({
    baseURL,
  }) => {
    const headers = { accept: 'text/html', 'accept-language': 'es' };
    const answer = await ask(baseURL, { path: `${path}?lang=pt-BR`, headers });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('<html lang="pt-BR"');
    expect(answer.body).toContain('<title>Não há nenhuma página aqui – Perpetua</title>');
  });
}

for (const path of ['/api/beos/%E0%A4%A', '/api/guardian/accept/%ZZ', '/api/trpc/%', '/api/%']) {
  test(`${path} is nothing of the API, and that is said in the shape of its errors`, async ({ baseURL }) => {
    const answer = await ask(baseURL, { path, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
  });
}

test('what the API does not have is said in the shape of its errors', async ({ baseURL }) => {
  const answer = await ask(baseURL, { path: '/api/guardian/nothing' });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
});
