import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

let lastAddress = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++lastAddress}` });
type Address = ReturnType<typeof newAddress>;

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Announces a body without sending it: a response arrives only if the service does not read the body first. */
async function announce(path: string, address: Address, method = 'POST') {
  const headers = { ...address, 'content-type': 'application/json', 'content-length': 1000 };
  const request = httpRequest(service.url + path, { method, headers });
  request.on('error', () => undefined);
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = (await json(response)) as { code: string };
  request.destroy();
  return [response.statusCode, body.code];
}

describe('an address over its limit is refused before it sends its body', () => {
  test.each([
    ['POST', '/api/relayer/beo', 10],
    ['POST', '/api/relayer/beo/request-recovery', 10],
    ['POST', '/api/relayer/consent', 15],
    ['DELETE', '/api/consent/all', 15],
    ['POST', '/api/exchange/records', 10],
    ['POST', '/api/exchange/export', 5],
    ['POST', '/api/guardian/invite', 5],
  ])('%s %s', async (method, path, limit) => {
    const address = newAddress();
    const headers = { ...address, 'content-type': 'application/json' };
    for (const _ of times(limit)) await service.request(path, { method, headers, body: '{}' });
    expect(await announce(path, address, method)).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('a chunked body of a GET', () => {
  const HEAD = 'GET /health HTTP/1.1\r\nHost: x\r\n';

  const open = () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay();
    onTestFinished(() => void socket.destroy());
    return socket;
  };

  test('that is complete after the response does not end the connection', async () => {
    const socket = open();
    let received = '';
    const ended = once(socket, 'close');
    socket.setEncoding('utf8').on('data', (part) => {
      received += part;
    });
    const responses = () => received.split('HTTP/1.1 200 OK').length - 1;
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
    await expect.poll(responses).toBe(1);
    socket.write('1\r\n}\r\n0\r\n\r\n');
    socket.write(`${HEAD}Connection: close\r\n\r\n`);
    await ended;
    expect(responses()).toBe(2);
  });

  test('that does not end is read up to a limit', async () => {
    const socket = open().on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`;
    socket.resume().write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    while (!socket.closed) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
    }
    expect(socket.bytesWritten).toBeGreaterThan(1024 * 1024);
  });
});

describe('an invalid body is charged', () => {
  test.each<[string, string, string, Record<string, string>]>([
    ['invalid JSON', '{', 'INVALID_JSON', {}],
    ['unclosed brackets', '['.repeat(100), 'INVALID_JSON', {}],
    ['33 levels of nesting', `${'['.repeat(33)}${']'.repeat(33)}`, 'VALIDATION_FAILED', {}],
    ['too large', ' '.repeat(256 * 1024 + 1), 'BODY_TOO_LARGE', {}],
    ['another content type', 'domain=a', 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': 'text/plain' }],
  ])('%s', async (_, body, code, headers) => {
    const address = newAddress();
    const send = () => service.post('/api/relayer/beo', body, { ...address, ...headers });
    for (const index of times(10)) {
      const answer = await send();
      expect(answer.body.code).toBe(code);
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"relayer";r=${9 - index};`));
    }
    expect((await send()).body.code).toBe('RATE_LIMITED');
  });
});

test('ten concurrent large batches of one address are all processed', async () => {
  const address = newAddress();
  const batch = `{"records":[${'[],'.repeat(300_000)}[]]}`;
  const answers = await Promise.all(times(10).map(() => service.post('/api/exchange/records', batch, address)));
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['VALIDATION_FAILED']));
});

test('a client that disconnects while its body waits does not block the next', async () => {
  const address = newAddress();
  const path = '/api/exchange/records';
  /** Starts a request with a large body that is not sent, and waits until the service is ready to receive it. */
  async function start() {
    const headers = { ...address, 'content-type': 'application/json', 'content-length': 1024 * 1024 };
    const request = httpRequest(service.url + path, {
      method: 'POST',
      headers: { ...headers, expect: '100-continue' },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    await once(request, 'continue');
    return request;
  }
  const [reading, waiting] = [await start(), await start()];
  waiting.destroy();
  await service.get('/health');
  reading.destroy();
  const large = `{"records":[${'[],'.repeat(300_000)}[]]}`;
  expect((await service.post(path, large, address)).body.code).toBe('VALIDATION_FAILED');
});
