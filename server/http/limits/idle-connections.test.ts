import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TlsFiles } from '../../platform/listening/tls-files.ts';
import { createSecurityEvents } from '../../platform/observe/security-events.ts';
import { TRUST, VALID } from '../../testing/test-tls.ts';
import type { LiveBody } from '../http.ts';
import { createHttpServer } from '../http-server.ts';
import { send } from '../node.ts';
import { watchIdleConnections } from './idle-connections.ts';

/** More than the kernel holds for two sockets, so that its end waits for the client. */
const LARGE = Buffer.alloc(16_000_000);
const DOWNLOAD = Buffer.alloc(128_000_000);
const SECONDS = 1_000;
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const UPLOAD = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Never ends, and its reader may take all the time. */
const live: LiveBody = {
  async *[Symbol.asyncIterator]() {
    for (;;) yield 'x'.repeat(1_000_000);
  },
  leave: () => undefined,
  slow: { afterMs: 600_000, lastLine: '', lastLineMs: 0 },
};

/** A server of `max` connections, 5 of each address, with a clock that the test sets. */
async function start(max: number, tls: TlsFiles | null = null) {
  const clock = { ms: 0 };
  const arrived: string[] = [];
  const waiting: ServerResponse[] = [];
  const open = new Map<string, number>();
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    '/small': (_, response) => response.end('small'),
    '/large': (_, response) => response.end(LARGE),
    '/download': (_, response) => response.end(DOWNLOAD),
    '/live': (_, response) => send(response, { status: 200, headers: {}, body: live }),
    '/read': (request, response) => request.resume().on('end', () => response.end()),
    '/waits': (_, response) => waiting.push(response),
  };
  const settings = {
    KEEP_ALIVE_MS: 600_000,
    MAX_CONNECTIONS: max,
    MAX_CONNECTIONS_PER_ADDRESS: 5,
    PUBLIC_URL: undefined,
    HSTS: 'off',
    RATE_LIMIT: true,
    TRUST_PROXY: 0,
  } as const;
  const events = createSecurityEvents(pino({ level: 'silent' }));
  const server = createHttpServer(settings, events, { tls, now: () => clock.ms });
  server.on('connection', (socket: Socket) => {
    const address = String(socket.remoteAddress);
    open.set(address, (open.get(address) ?? 0) + 1);
    socket.on('close', () => open.set(address, (open.get(address) ?? 0) - 1));
  });
  server.on('request', (request, response) => {
    arrived.push(request.url ?? '');
    answers[request.url ?? '']?.(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const from = (localAddress: string): Socket => {
    const plain = connect({ host: '127.0.0.1', port, localAddress });
    const socket = tls ? connectTls({ socket: plain, ...TRUST }) : plain;
    onTestFinished(() => void plain.destroy());
    plain.on('error', () => undefined);
    return socket.on('error', () => undefined);
  };
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    clock,
    from,
    waiting,
    /** How many connections an address has. */
    open: (address: string) => open.get(address) ?? 0,
    /** Sends `request` on each of `count` connections, and reads no response. */
    async hold(address: string, count: number, request: string) {
      const before = arrived.length;
      const sockets = times(count).map(() => from(address));
      for (const socket of sockets) socket.write(request);
      await expect.poll(() => arrived.length).toBe(before + count);
      return sockets;
    },
  };
}

/** Whether a connection is answered; one that is refused is closed without a word. */
async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write(GET('/small'));
  const data = await Promise.race(['data', 'close'].map((event) => once(socket, event))).catch(() => []);
  return data.join('').startsWith('HTTP/1.1 200');
}

describe.each([
  ['HTTP', null],
  ['HTTPS', { ...VALID, minVersion: 'TLSv1.2' }],
] as const)('over %s', (_, tls) => {
  test('clients that do not read large responses cannot keep others out, nor take their idle connections', async () => {
    const { clock, from, hold, open } = await start(20, tls);
    const attackers = times(4).map((index) => `127.0.0.${index + 2}`);
    const honest = from('127.0.1.1');
    expect(await isAnswered(honest)).toBe(true);
    for (const [index, address] of attackers.entries()) await hold(address, index === 0 ? 4 : 5, GET('/large'));
    expect(await isAnswered(from('127.0.1.2'))).toBe(false);
    const answered = () => {
      clock.ms += 5 * SECONDS;
      return isAnswered(from('127.0.1.2'));
    };
    await expect.poll(answered).toBe(true);
    expect(await isAnswered(from('127.0.1.3'))).toBe(true);
    expect(await isAnswered(from('127.0.1.4'))).toBe(true);
    expect(attackers.map(open)).toEqual([4, 4, 4, 4]);
    // It would hold as many as the one that holds most.
    expect(await isAnswered(from('127.0.0.2'))).toBe(false);
    expect(await isAnswered(honest)).toBe(true);
  });
});

test('a slow download that progresses is not closed, until it stops', async () => {
  const { clock, from, hold, open } = await start(3);
  const downloads = await hold('127.0.0.2', 3, GET('/download'));
  expect(await isAnswered(from('127.0.1.1'))).toBe(false);
  for (const _ of times(2)) {
    clock.ms += 5 * SECONDS;
    for (const download of downloads) {
      for (let bytes = 0; bytes < 12_000_000; ) {
        const data: Buffer | null = download.read();
        if (data) bytes += data.length;
        else await once(download, 'readable');
      }
    }
    expect(await isAnswered(from('127.0.1.1'))).toBe(false);
    expect(open('127.0.0.2')).toBe(3);
  }
  const answered = () => {
    clock.ms += 5 * SECONDS;
    return isAnswered(from('127.0.1.1'));
  };
  await expect.poll(answered).toBe(true);
});

test.each([
  ['for an answer, such as one that waits for the database', GET('/waits')],
  ['for the service to read its body', UPLOAD('/waits')],
  ['for the reader of a stream', GET('/live')],
])('a request that waits %s is not closed', async (_, request) => {
  const { clock, from, hold, open, waiting } = await start(3);
  const sockets = await hold('127.0.0.2', 3, request);
  for (const _ of times(3)) {
    expect(await isAnswered(from('127.0.1.1'))).toBe(false);
    clock.ms += 60 * SECONDS;
  }
  expect(open('127.0.0.2')).toBe(3);
  for (const response of waiting) response.end('late');
  const answers = await Promise.all(sockets.map(async (socket) => (await once(socket, 'data')).join('')));
  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true);
});

test('uploads that stop are closed, and the networks of an IPv6 address count together', async () => {
  const clock = { ms: 0 };
  const clients = times(17).map((index) => `2001:db8:0:${index.toString(16)}00::1`);
  const server = createServer((request) => void request.resume());
  const connections = watchIdleConnections(server, () => clock.ms);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    connections.add(socket, clients[sockets.length] ?? null)(() => undefined);
    sockets.push(socket);
  });
  let requests = 0;
  server.on('request', () => {
    requests += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  for (const _ of clients) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.write(UPLOAD('/'));
    await once(client, 'connect');
  }
  await expect.poll(() => requests).toBe(clients.length);
  expect(connections.closeOne('192.0.2.1')).toBe(false);
  clock.ms += 5 * SECONDS;
  // 17 connections of a /48 are more than one of an address, 16 are as many.
  expect(connections.closeOne('2001:db8:0:ff00::1')).toBe(false);
  expect(connections.closeOne('192.0.2.1')).toBe(true);
  expect(sockets.map(({ destroyed }) => destroyed).indexOf(true)).toBe(0);
  expect(connections.closeOne('192.0.2.1')).toBe(false);
});
