import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createResolve } from '../../../network/checked-address.ts';
import {
  startNameServer,
  startReceiver,
  TEST_AUTHORITY,
  type TestNameServer,
  type TestReceiver,
} from './test-receiver.ts';
import { type Exchange, type ExchangeRules, openReceiver } from './webhook-exchange.ts';

let receiver: TestReceiver;
let nameServer: TestNameServer;

beforeEach(async () => {
  receiver = await startReceiver();
  nameServer = await startNameServer((name) => (name.endsWith('receiver.test') ? ['127.0.0.1'] : []));
});

afterEach(async () => {
  await receiver.stop();
  await nameServer.stop();
});

const rules = (more: Partial<ExchangeRules> = {}): ExchangeRules => ({
  ports: [receiver.port],
  privateAddresses: true,
  resolve: createResolve([nameServer.address]),
  ca: TEST_AUTHORITY,
  // No limit that a busy machine exceeds: a test of the limit sets another.
  timeoutMs: 120_000,
  ...more,
});

const BODY = Buffer.from('{"type":"webhook.test"}');
const NEVER = new AbortController().signal;
const urlOf = (host = 'receiver.test', port = receiver.port) => `https://${host}:${port}/hook?a=b`;

async function post(more: Partial<ExchangeRules> = {}, url = urlOf(), signal = NEVER): Promise<Exchange> {
  const opened = openReceiver(url, rules(more));
  onTestFinished(() => opened.close());
  return opened.post({ 'content-type': 'application/json', 'webhook-id': 'evt_1' }, BODY, signal);
}

test('a request reaches the receiver with its exact headers and bytes', async () => {
  receiver.reply = (response) => response.writeHead(202).end('taken');
  expect(await post()).toMatchObject({ status: 202, problem: null, body: 'taken', retryAfter: null });
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  expect(body).toBe(BODY.toString());
  expect(headers).toMatchObject({
    host: `receiver.test:${receiver.port}`,
    'webhook-id': 'evt_1',
    'content-type': 'application/json',
    'content-length': String(BODY.byteLength),
  });
});

test('several requests use one connection, also after the receiver has closed it', async () => {
  const opened = openReceiver(urlOf(), rules());
  onTestFinished(() => opened.close());
  for (let n = 0; n < 5; n++) expect(await opened.post({}, BODY, NEVER)).toMatchObject({ status: 204 });
  expect([receiver.connections(), nameServer.asked.length]).toEqual([1, 1]);
  // A connection that is closed as it is used again: the request is sent once more, over a new one.
  const used = new WeakSet<Socket>();
  receiver.reply = (response) => {
    const socket = response.socket as Socket;
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    response.writeHead(204).end();
  };
  for (let n = 0; n < 3; n++) expect(await opened.post({}, BODY, NEVER)).toMatchObject({ status: 204 });
  expect(receiver.connections()).toBe(3);
});

describe('no request is sent', () => {
  test('to a private address, in whatever form it is written', async () => {
    const strict = { privateAddresses: false };
    expect(await post(strict)).toMatchObject({ status: null, problem: 'NO_PUBLIC_ADDRESS' });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ]) {
      expect(await post(strict, urlOf(host)), host).toMatchObject({ status: null, problem: 'URL_NOT_ALLOWED' });
    }
    expect(await post(strict, urlOf('168.63.129.16'))).toMatchObject({ status: null, problem: 'NO_PUBLIC_ADDRESS' });
    expect(receiver.connections()).toBe(0);
  });

  test('to a name whose server answers with a private address the second time', async () => {
    // As in a rebinding attack: the address is public when it is checked first.
    nameServer.zone = () => (nameServer.asked.length <= 1 ? ['1.1.1.1'] : ['127.0.0.1']);
    const resolved: (readonly string[])[] = [];
    const resolve = createResolve([nameServer.address]);
    const strict = {
      privateAddresses: false,
      resolve: async (name: string) => {
        const addresses = await resolve(name);
        resolved.push(addresses);
        return addresses;
      },
    };
    // The connection goes to 1.1.1.1, which was checked, or nowhere.
    expect(await post({ ...strict, timeoutMs: 2_000 })).toMatchObject({ status: null });
    expect(await post(strict)).toMatchObject({ status: null, problem: 'NO_PUBLIC_ADDRESS' });
    expect(resolved).toEqual([['1.1.1.1'], ['127.0.0.1']]);
    expect(receiver.connections()).toBe(0);
  });

  test('over a connection that was opened before, when its address was allowed', async () => {
    expect(await post()).toMatchObject({ status: 204 });
    expect(await post({ privateAddresses: false })).toMatchObject({ status: null, problem: 'NO_PUBLIC_ADDRESS' });
    expect(receiver.received).toHaveLength(1);
  });

  test('to another port than those of the operator', async () => {
    expect(await post({ ports: [443] })).toMatchObject({ problem: 'PORT_NOT_ALLOWED' });
    expect(receiver.connections()).toBe(0);
  });

  test('to a receiver without a valid certificate for its name', async () => {
    expect(await post({ ca: undefined } as never)).toMatchObject({ problem: 'CERTIFICATE_INVALID' });
    nameServer.zone = () => ['127.0.0.1'];
    expect(await post({}, urlOf('other.example.org'))).toMatchObject({ problem: 'CERTIFICATE_INVALID' });
    const expired = await startReceiver({ expired: true });
    onTestFinished(() => expired.stop());
    expect(await post({ ports: [expired.port] }, urlOf('receiver.test', expired.port))).toMatchObject({
      problem: 'CERTIFICATE_INVALID',
    });
    expect([...receiver.received, ...expired.received]).toEqual([]);
  });

  test('to a receiver without a valid certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED is', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    expect(await post({ ca: undefined } as never)).toMatchObject({ problem: 'CERTIFICATE_INVALID' });
  });

  test('to a name without an address, or without a response of its server', async () => {
    expect(await post({}, urlOf('none.example.org'))).toMatchObject({ problem: 'NO_PUBLIC_ADDRESS' });
    nameServer.zone = () => null;
    expect(await post({ timeoutMs: 200 })).toMatchObject({ problem: 'TIMEOUT' });
  });

  test('after the sender was stopped', async () => {
    expect(await post({}, urlOf(), AbortSignal.abort())).toMatchObject({ problem: 'STOPPED' });
    expect(receiver.connections()).toBe(0);
  });
});

test.each([301, 302, 303, 307, 308])('a redirect is not followed: %i', async (status) => {
  receiver.reply = (response) => response.writeHead(status, { location: urlOf('other.receiver.test') }).end();
  expect(await post()).toMatchObject({ status, problem: null });
  expect(receiver.received).toHaveLength(1);
});

describe('a response', () => {
  test('of a megabyte is read up to 16 kB, and only its beginning is kept', async () => {
    let closed = false;
    receiver.reply = (response) => {
      response.on('close', () => {
        closed = true;
      });
      const write = (): void => {
        while (!closed && response.write('x'.repeat(1_000))) {}
        response.once('drain', write);
      };
      response.writeHead(200);
      write();
    };
    expect(await post()).toMatchObject({ status: 200, problem: null, body: 'x'.repeat(512) });
    await expect.poll(() => closed).toBe(true);
  });

  test.each([
    ['interim responses', 'HTTP/1.1 102 Processing\r\n\r\n', '', null],
    [
      'extensions of chunks',
      `1;${'x'.repeat(1_000)}\r\n.\r\n`,
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      200,
    ],
  ])('with endless %s is not read', async (_, part, head, status) => {
    let written = 0;
    let closed = false;
    receiver.reply = (response) => {
      const socket = response.socket as Socket;
      const write = (): void => {
        while (!closed && socket.write(part.repeat(20))) written += 20 * part.length;
        written += 20 * part.length;
      };
      socket.on('drain', write).on('error', () => undefined);
      socket.on('close', () => {
        closed = true;
      });
      socket.write(head);
      write();
    };
    expect(await post()).toMatchObject({ status, problem: status ? null : 'CONNECTION_FAILED' });
    await expect.poll(() => closed).toBe(true);
    // What the operating system holds for the connection is written too.
    expect(written).toBeLessThan(20_000_000);
  });

  test('with endless headers is not read', async () => {
    receiver.reply = (response) => {
      const socket = response.socket as Socket;
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`a: ${'x'.repeat(4_000)}\r\n`), 5);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => undefined);
    };
    expect(await post()).toMatchObject({ status: null, problem: 'CONNECTION_FAILED' });
  });

  test('that never begins, or never ends, fails in the time for the whole exchange', async () => {
    receiver.reply = () => undefined;
    expect(await post({ timeoutMs: 200 })).toMatchObject({ status: null, problem: 'TIMEOUT' });
    let closed = false;
    receiver.reply = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        closed = true;
        clearInterval(timer);
      });
    };
    expect(await post({ timeoutMs: 200 })).toMatchObject({ status: null, problem: 'TIMEOUT' });
    await expect.poll(() => closed).toBe(true);
  });

  test('that ends early fails', async () => {
    receiver.reply = (response) => response.socket?.destroy();
    expect(await post()).toMatchObject({ status: null, problem: 'CONNECTION_FAILED' });
    receiver.reply = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('only this', () => response.socket?.destroy());
    };
    expect(await post()).toMatchObject({ status: null, problem: 'CONNECTION_FAILED' });
  });

  test('that switches protocols fails', async () => {
    receiver.reply = (response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    };
    expect(await post()).toMatchObject({ status: null, problem: 'CONNECTION_FAILED' });
  });

  test('may ask to wait, in seconds', async () => {
    const asked = async (value: string) => {
      receiver.reply = (response) => response.writeHead(503, { 'retry-after': value }).end();
      return (await post()).retryAfter;
    };
    expect([await asked('120'), await asked('soon'), await asked('-1')]).toEqual([120, null, null]);
  });

  test('is not waited for after the sender was stopped', async () => {
    receiver.reply = () => undefined;
    const stopping = new AbortController();
    const exchange = post({}, urlOf(), stopping.signal);
    await expect.poll(() => receiver.received.length).toBe(1);
    stopping.abort();
    expect(await exchange).toMatchObject({ status: null, problem: 'STOPPED' });
  });
});
