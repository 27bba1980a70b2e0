import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureLog, freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';

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

  test('are limited in total: without the limiter, the longest idle one is closed for a new one', async () => {
    const { sockets, answered } = await inTurn(few, 10);
    expect(answered).toEqual(times(10).map(() => true));
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(2);
    expect(sockets.slice(0, 2).map(({ closed }) => closed)).toEqual([true, true]);
    await close(sockets);
  });

  test('that are idle cannot keep a new client out, and one whose request waits for the database is not closed', async () => {
    const service = await startTestService({
      RATE_LIMIT: 'on',
      MAX_CONNECTIONS: '200',
      MAX_CONNECTIONS_PER_ADDRESS: '10',
    });
    try {
      const from = (localAddress: string) => {
        const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port), localAddress });
        socket.on('error', () => undefined);
        return socket;
      };
      const honest = from('127.0.1.1');
      expect(await isAnswered(honest)).toBe(true);
      // The head of the ledger is locked, so that this request is not answered yet.
      const client = new pg.Client({ connectionString: service.databaseUrl });
      await client.connect();
      await client.query('BEGIN; SELECT FROM ledger_head FOR UPDATE');
      const person = newPerson();
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
      const body = JSON.stringify(person.sign('createBEO', fields));
      const busy = from('127.0.0.2');
      busy.write(
        `POST /api/relayer/beo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const response = once(busy, 'data');
      await expect.poll(() => busy.bytesWritten).toBeGreaterThan(0);
      const attackers: Socket[] = [busy];
      for (const address of times(26)) {
        const sockets = times(address === 0 ? 9 : 10).map(() => from(`127.0.0.${address + 2}`));
        attackers.push(...sockets);
        await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      }
      expect(await isAnswered(from('127.0.1.2'))).toBe(true);
      expect(await isAnswered(honest)).toBe(true);
      await client.query('ROLLBACK');
      await client.end();
      expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 201 /);
      await close(attackers);
    } finally {
      await service.stop();
    }
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
