import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { readTlsFiles } from '../platform/listening/tls-files.ts';
import { captureLog, startTestService, type TestService } from '../testing/test-service.ts';
import { EXPIRED, TRUST, testTls, VALID } from '../testing/test-tls.ts';
import { followRenewals } from './certificate-renewal.ts';
import { createHttpServer } from './http-server.ts';

const { log, lines } = captureLog();
const tls = testTls();
let service: TestService;
beforeAll(async () => {
  const settings = { PUBLIC_URL: 'https://perpetua.receiver.test', RATE_LIMIT: 'on', MAX_CONNECTIONS_PER_ADDRESS: '5' };
  service = await startTestService({ ...tls.env, ...settings }, { log });
});
afterAll(async () => {
  await service.stop();
  tls.remove();
});

const port = () => Number(new URL(service.url).port);
const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

function open(options: ConnectionOptions = {}, toPort = port()): TLSSocket {
  const socket = connect({ port: toPort, host: '127.0.0.1', ...TRUST, ...options });
  socket.on('error', () => undefined);
  return socket;
}

const opened = (socket: TLSSocket): Promise<TLSSocket | null> =>
  once(socket, 'secureConnect').then(
    () => socket,
    () => null,
  );

async function answerTo(request: string): Promise<string> {
  const socket = open();
  socket.write(request);
  return text(socket);
}

describe('with a certificate the service', () => {
  test('serves the API by TLS 1.2 and 1.3, with HSTS for an https PUBLIC_URL, and nothing older', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await opened(open({ minVersion: version, maxVersion: version }));
      expect(socket?.getProtocol()).toBe(version);
      socket?.destroy();
    }
    const old = open({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await opened(old)).toBeNull();
    expect(await answerTo(GET('/health', 'Connection: close\r\n'))).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*strict-transport-security: max-age=31536000; includeSubDomains/,
    );
  });

  test('closes a connection that does not speak TLS', async () => {
    const plain = connectPlain(port(), '127.0.0.1');
    plain.write(GET('/health'));
    await once(plain, 'close');
  });

  test('limits connections by address from before the handshake on, and records the address of requests', async () => {
    const silent = [1, 2, 3, 4].map(() => connectPlain(port(), '127.0.0.1'));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    // They are accepted in the order in which they connected.
    const [first, second] = [await opened(open()), await opened(open())];
    expect([first !== null, second]).toEqual([true, null]);
    for (const socket of [...silent, first]) socket?.destroy();
    const refused = () => lines.filter((line) => line.includes('TOO_MANY_CONNECTIONS') && line.includes('127.0.0.1'));
    expect(refused()).toHaveLength(1);
    await expect.poll(async () => answerTo(GET('/api/guardian/accept/x', 'Connection: close\r\n'))).toContain(' 404 ');
    expect(lines.filter((line) => line.includes('LINK_NOT_FOUND')).at(-1)).toContain('"address":"127.0.0.1"');
  });

  test.concurrent('ends a handshake that takes longer than 10 seconds', async () => {
    const began = performance.now();
    const silent = connectPlain(port(), '127.0.0.1');
    await once(silent, 'close');
    expect(performance.now() - began).toBeGreaterThan(9_900);
  });

  test.concurrent('answers a slow request with 408, and a malformed one with 400', async () => {
    expect(await answerTo('GET /health HTTP/1.1\r\nHost: x\r\n')).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*frame-ancestors 'none'/,
    );
    expect(await answerTo('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*frame-ancestors 'none'/);
  });
});

test('a renewed certificate is used for new connections, and one that does not fit its key is not', async () => {
  const files = testTls(EXPIRED);
  const config = readConfig(files.env);
  const first = readTlsFiles(config);
  if (!first) throw new Error('There is no certificate.');
  const server = createHttpServer(config, service.service.context.securityEvents, { tls: first });
  if (!('setSecureContext' in server)) throw new Error('The server does not use TLS.');
  server.on('request', (_, response) => response.end('served'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const messages: string[] = [];
  const write = (message: string) => void messages.push(message);
  const end = followRenewals(server, { config, tls: first, log: { info: write, warn: write }, everyMs: 20 });
  const toPort = (server.address() as AddressInfo).port;
  const isTrusted = async () => {
    const socket = await opened(open({}, toPort));
    socket?.destroy();
    return socket !== null;
  };

  const before = await opened(open({ rejectUnauthorized: false }, toPort));
  expect(await isTrusted()).toBe(false);
  files.write({ key: VALID.key });
  await expect.poll(() => messages).toHaveLength(2);
  expect(await opened(open({ rejectUnauthorized: false }, toPort))).not.toBeNull();
  files.write({ cert: VALID.cert });
  await expect.poll(isTrusted).toBe(true);
  before?.write(GET('/', 'Connection: close\r\n'));
  expect(before && (await text(before))).toContain('served');
  expect(messages).toEqual([
    'The certificate in TLS_CERT_FILE expired at 2021-01-01T00:00:00.000Z.',
    expect.stringMatching(/^TLS_KEY_FILE is wrong: .* is not the key .* The previous certificate stays in use\.$/),
    'new connections use the renewed certificate',
  ]);
  end();
  server.closeAllConnections();
  server.close();
  files.remove();
});
