import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { type RawRequest, rawRequest, sendBytes } from './rest/test-requests.ts';

let http: TestService;
let https: TestService;
beforeAll(async () => {
  [http, https] = await Promise.all([
    startTestService({ RATE_LIMIT: 'on' }),
    startTestService({ PUBLIC_URL: 'https://perpetua.example' }),
  ]);
});
afterAll(() => Promise.all([http.stop(), https.stop()]));

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const EXPECTED = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The headers of a raw response, by lower-case name. */
function headersOf(response: string): Record<string, string> {
  const lines = response.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? [];
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(': ', 2);
      return [name.toLowerCase(), value];
    }),
  );
}

describe('every response has the security headers:', () => {
  test.each<[number, RawRequest]>([
    [200, { path: '/health' }],
    [200, { path: '/api/ledger' }],
    [200, { path: '/api/ledger/entries' }],
    [200, { path: '/api/trpc/proposals' }],
    [404, { path: '/api/nowhere' }],
    [404, { path: '/api/trpc/nowhere' }],
    [400, { path: '/api/beos/..%2f..' }],
    [405, { path: '/api/ledger', method: 'PUT' }],
    [405, { path: '/api/trpc/proposals', method: 'PUT' }],
    [400, { path: '/api/relayer/beo', method: 'POST', body: {} }],
    [204, { path: '/api/ledger', method: 'OPTIONS' }],
    [200, { path: '/health', headers: { expect: 'the-unexpected' } }],
  ])('%i %j', async (status, request) => {
    const answer = await rawRequest(http.url, request);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(EXPECTED);
    expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
    expect(answer.headers['strict-transport-security']).toBe(undefined);
  });

  test.each([
    ['400 Bad Request', 'GARBAGE\r\n\r\n'],
    ['400 Bad Request', 'GET / HTTP/1.1\r\nbad header\r\n\r\n'],
    ['400 Bad Request', 'GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\n'],
    ['400 Bad Request', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['400 Bad Request', `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a: b\r\n'.repeat(200)}\r\n`],
    ['431 Request Header Fields Too Large', `GET / HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`],
  ])('%s of a malformed request: %j', async (status, bytes) => {
    const answer = await sendBytes(http.url, bytes);
    expect(answer.split('\r\n', 1)[0]).toBe(`HTTP/1.1 ${status}`);
    expect(headersOf(answer)).toMatchObject(EXPECTED);
    const body = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
    expect(Object.keys(body)).toEqual(['error', 'code', 'request_id']);
    expect(headersOf(answer)['x-request-id']).toBe(body.request_id);
  });

  test('HSTS for all subdomains if PUBLIC_URL is HTTPS', async () => {
    const { headers } = await rawRequest(https.url, { path: '/api/nowhere' });
    const expected = 'max-age=31536000; includeSubDomains';
    expect(headers['strict-transport-security']).toBe(expected);
    expect(headersOf(await sendBytes(https.url, 'GARBAGE\r\n\r\n'))['strict-transport-security']).toBe(expected);
  });

  test.each([
    ['host', 'max-age=31536000'],
    ['off', undefined],
  ])('HSTS as the setting %s says: %s', async (HSTS, expected) => {
    const service = await startTestService({ PUBLIC_URL: 'https://perpetua.example', HSTS });
    onTestFinished(service.stop);
    const { headers } = await rawRequest(service.url, { path: '/health' });
    expect(headers['strict-transport-security']).toBe(expected);
  });
});
