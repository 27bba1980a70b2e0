import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { TRUST, VALID } from '../testing/test-tls.ts';
import { createDrain } from './drain.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const plain = { server: () => createServer(), open: (port: number): Socket => connect(port, '127.0.0.1') };
const tls = {
  server: () => createTlsServer(VALID),
  open: (port: number): Socket => connectTls({ port, host: '127.0.0.1', ...TRUST }),
};

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function nextResponse(server: Server): Promise<ServerResponse> {
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return response;
}

test.each([
  ['end', 'HTTP', plain],
  ['end', 'HTTPS', tls],
  ['retire', 'HTTP', plain],
  ['retire', 'HTTPS', tls],
] as const)('%s of an %s server completes the request in flight and closes its connection', async (way, _, kind) => {
  const server = kind.server();
  const drain = createDrain(server);
  const socket = kind.open(await listening(server));
  const received = text(socket);
  socket.write(GET);
  (await nextResponse(server)).end('first');
  socket.write(GET);
  const inFlight = await nextResponse(server);
  const drained = way === 'end' ? drain.end() : drain.retire(60_000);
  inFlight.end('second');
  expect(await received).toMatch(/^HTTP\/1\.1 200 [\s\S]*keep-alive[\s\S]*first[\s\S]*Connection: close[\s\S]*second$/);
  await drained;
});
