import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import certificates from './test-certificates.json' with { type: 'json' };

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The exact bytes, as text. */
  readonly body: string;
}

/** Answers a request, or never does. */
export type Reply = (response: ServerResponse, received: Received) => void;

export const answerEmpty: Reply = (response) => response.writeHead(204).end();

export interface TestReceiver {
  readonly port: number;
  /** Of the address to which a test has its events sent, if it shares the receiver with others. */
  readonly path?: string;
  readonly received: Received[];
  /** Connections that were opened. */
  connections(): number;
  reply: Reply;
  stop(): Promise<void>;
}

/** PEM of the authority that signed the receiver's certificate for receiver.test and *.receiver.test. */
export const TEST_AUTHORITY = certificates.authority;

/** An HTTPS server on loopback that keeps what it receives and answers 204 unless `reply` is set. */
export async function startReceiver({ expired = false, keep = true, port = 0 } = {}): Promise<TestReceiver> {
  const received: Received[] = [];
  let connections = 0;
  const receiver = {
    reply: answerEmpty,
    received,
    connections: () => connections,
  };
  const server = createServer(expired ? certificates.expired : certificates.valid, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const one = { path, headers, body: Buffer.concat(pieces).toString() };
      if (keep) received.push(one);
      receiver.reply(response, one);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(receiver, {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  });
}

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** The IPv4 addresses of a name, or null for no response at all. */
export type Zone = (name: string) => readonly string[] | null;

export interface TestNameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  zone: Zone;
  /** The names that were asked for, IPv4 only. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** A DNS server on loopback (RFC 1035) for IPv4 addresses with a TTL of 0. */
export async function startNameServer(zone: Zone): Promise<TestNameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const nameServer = { zone, asked };
  socket.on('message', (query, sender) => {
    const { name, type, end } = questionOf(query);
    if (type === TYPE_A) asked.push(name);
    const addresses = nameServer.zone(name);
    if (!addresses || ![TYPE_A, TYPE_AAAA].includes(type)) return;
    const answers = type === TYPE_A ? addresses.map(answerRecord) : [];
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return Object.assign(nameServer, {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  });
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An A record for the name of the question, to which it points. */
const answerRecord = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
