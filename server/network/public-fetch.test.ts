import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { badGateway } from '../../auditor/audit/test-bad-gateway.ts';
import { createArweaveClient } from './arweave-client.ts';
import { NoPublicAddress } from './checked-address.ts';
import { senderTo } from './gateway-http.ts';
import { createPublicSend, sendAnywhere, sendPublicly } from './public-fetch.ts';

async function startEcho() {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.writeHead(request.url === '/empty' ? 204 : 201, { 'x-one': '1' });
    response.end(request.url === '/empty' ? undefined : `${request.headers['content-type']} ${await text(request)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const signal = new AbortController().signal;

test('a request reaches the address that was checked, and has the response of fetch', async () => {
  const { port, seen } = await startEcho();
  const send = createPublicSend({ privateAddresses: true, resolve: async () => ['127.0.0.1'] });
  const headers = { 'content-type': 'application/json' };
  const posted = await send(`http://gateway.example:${port}/a?b`, { method: 'POST', headers, body: '{"é":1}', signal });
  expect([posted.status, posted.headers.get('x-one'), await posted.text()]).toEqual([
    201,
    '1',
    'application/json {"é":1}',
  ]);
  const empty = await send(`http://gateway.example:${port}/empty`, { method: 'GET', signal });
  expect([empty.status, empty.body]).toEqual([204, null]);
  expect(seen).toEqual([`POST gateway.example:${port} /a?b`, `GET gateway.example:${port} /empty`]);
});

test.each([
  ['http://gateway.example', ['127.0.0.1']],
  ['http://gateway.example', ['10.0.0.1', '169.254.169.254', '168.63.129.16', '::1']],
  ['http://gateway.example', []],
  ['http://127.0.0.1', ['1.1.1.1']],
  ['http://0x7f.1', ['1.1.1.1']],
  ['http://[::ffff:127.0.0.1]', ['1.1.1.1']],
  ['http://localhost', ['127.0.0.1', '::1']],
])('no request is sent to %s with the addresses %j', async (origin, addresses) => {
  const { port, seen } = await startEcho();
  const send = createPublicSend({ privateAddresses: false, resolve: async () => addresses });
  await expect(send(`${origin}:${port}/`, { method: 'GET', signal })).rejects.toThrow(NoPublicAddress);
  expect(seen).toEqual([]);
});

test('a gateway that another party states is not asked at a private address', async () => {
  const internal = await badGateway((_, response) => Boolean(response.end('{"height":1}')));
  const client = (publicOnly: boolean) => createArweaveClient({ gatewayUrl: internal.url, publicOnly });
  await expect(client(true).height()).rejects.toMatchObject({
    kind: 'misbehaving',
    message:
      'The gateway is not asked, because 127.0.0.1 has no public address. If you trust it, name it with --gateway, or give --allow-private.',
  });
  expect(internal.asked).toEqual([]);
  expect(await client(false).height()).toBe(1);
});

test('a redirect to another host leads to a private address only within a private gateway', async () => {
  expect(await senderTo('https://1.1.1.1/tx', '1.1.1.1', false)).toBe(sendAnywhere);
  expect(await senderTo('https://box.1.1.1.1.example/tx', '1.1.1.1', false)).toBe(sendPublicly);
  expect(await senderTo('http://box.localhost/tx', 'localhost', false)).toBe(sendAnywhere);
  expect(await senderTo('http://localhost/tx', 'localhost', true)).toBe(sendPublicly);
});
