import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureLog, startTestService, type TestService } from '../test-service.ts';

const { log, lines } = captureLog();
let capped: TestService;
let proxied: TestService;
let few: TestService;
beforeAll(async () => {
  [capped, proxied, few] = await Promise.all([
    startTestService({ RATE_LIMIT: 'on', MAX_CONNECTIONS_PER_ADDRESS: '5' }, { log }),
    startTestService({ RATE_LIMIT: 'on', MAX_CONNECTIONS_PER_ADDRESS: '5', TRUST_PROXY: '1' }),
    startTestService({ RATE_LIMIT: 'off', MAX_CONNECTIONS_PER_ADDRESS: '5', MAX_CONNECTIONS: '8' }),
  ]);
});
afterAll(() => Promise.all([capped, proxied, few].map((service) => service.stop())));

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

function open(service: TestService): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}

/** Whether a connection is answered; one that is refused is closed without a word. */
async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write(HEALTH);
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])]);
  return data !== null && String(data).startsWith('HTTP/1.1 200');
}

async function inTurn(service: TestService, count: number): Promise<{ sockets: Socket[]; answered: boolean[] }> {
  const sockets: Socket[] = [];
  const answered: boolean[] = [];
  for (const _ of times(count)) {
    const socket = open(service);
    sockets.push(socket);
    answered.push(await isAnswered(socket));
  }
  return { sockets, answered };
}

const close = (sockets: readonly Socket[]) => Promise.all(sockets.map(async (socket) => socket.destroy()));

describe('connections', () => {
  test('of one address are bounded, and a closed one makes room', async () => {
    const { sockets, answered } = await inTurn(capped, 8);
    expect(answered).toEqual([...times(5).map(() => true), ...times(3).map(() => false)]);
    sockets[0]?.destroy();
    await expect.poll(async () => (await inTurn(capped, 1)).answered).toEqual([true]);
    await close(sockets);
    expect(lines.filter((line) => line.includes('TOO_MANY_CONNECTIONS')).length).toBeGreaterThan(0);
  });

  test('of a trusted proxy are not limited per address', async () => {
    const { sockets, answered } = await inTurn(proxied, 8);
    expect(answered).toEqual(times(8).map(() => true));
    await close(sockets);
  });

  test('are limited in total, for all addresses and without the limiter', async () => {
    const { sockets, answered } = await inTurn(few, 10);
    expect(answered).toEqual([...times(8).map(() => true), false, false]);
    await close(sockets);
  });
});

describe('a slow client gets 408 and its connection is closed', () => {
  const head = 'POST /api/relayer/beo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  test.concurrent.each([
    ['sends nothing', ''],
    ['sends part of its headers', head],
    ['sends part of its body', `${head}Content-Length: 100\r\n\r\n{`],
    ['sends part of a chunked body', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('%s', async (_, bytes) => {
    const socket = open(proxied);
    socket.write(bytes);
    expect(await text(socket)).toMatch(
      bytes === '' ? /^(HTTP\/1\.1 408 |$)/ : /^HTTP\/1\.1 408 [\s\S]*frame-ancestors 'none'/,
    );
  });
});
