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

test('what the API does not have is said in the shape of its errors', async ({ baseURL }) => {
  const answer = await ask(baseURL, { path: '/api/guardian/nothing' });
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_FOUND' });
});
