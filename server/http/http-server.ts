import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../protocol/errors.ts';
import { clientAddress, limitSubject } from '../client-address.ts';
import type { SecurityEvents } from '../security-events.ts';
import { JSON_TYPE } from './http.ts';
import { type Headers, securityHeaders } from './security-headers.ts';

export interface HttpServerSettings {
  readonly KEEP_ALIVE_MS: number;
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
  readonly PUBLIC_URL: string | undefined;
  readonly RATE_LIMIT: boolean;
  readonly TRUST_PROXY: number;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/** How often Node looks for connections that have used up their time. */
const CHECK_MS = 1_000;
/** A connection on which nothing moves in either direction, such as that of a client that does not read its answer. */
const IDLE_MS = 120_000;
/** Node would drop further ones, such as what a proxy appends; the edge refuses the request instead. */
export const MAX_HEADERS = 100;

/** Node's own server, for a listener to `request`: with bounds on the time and number of connections, and answers of ours throughout. */
export function createHttpServer(settings: HttpServerSettings, events: SecurityEvents): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    // The edge refuses a request without Host itself: Node's answer would be without our headers.
    requireHostHeader: false,
  });
  server.timeout = IDLE_MS;
  server.maxHeadersCount = MAX_HEADERS + 1;
  // Node closes an idle connection after 5 seconds, also while a request is on its way on it: that one is lost. A proxy in front,
  // which keeps connections for a minute, shall be the one that closes them.
  server.keepAliveTimeout = settings.KEEP_ALIVE_MS;
  server.maxConnections = settings.MAX_CONNECTIONS;
  // Node would answer an unknown expectation by itself; RFC 9110 §10.1.1 lets a server ignore it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Behind a proxy every connection is the proxy's.
  if (settings.RATE_LIMIT && settings.TRUST_PROXY === 0)
    capByAddress(server, settings.MAX_CONNECTIONS_PER_ADDRESS, events);
  answerWhatIsNotHttp(server, securityHeaders(settings.PUBLIC_URL));
  return server;
}

function capByAddress(server: Server, most: number, events: SecurityEvents): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = clientAddress({ socketAddress: socket.remoteAddress, forwardedFor: undefined, trustProxy: 0 });
    const subject = limitSubject(address);
    const count = (open.get(subject) ?? 0) + 1;
    if (count > most) {
      events.refused('TOO_MANY_CONNECTIONS', { address, requestId: randomUUID(), route: 'connection' });
      socket.destroy();
      return;
    }
    open.set(subject, count);
    socket.once('close', () => {
      const left = (open.get(subject) ?? 1) - 1;
      if (left === 0) open.delete(subject);
      else open.set(subject, left);
    });
  });
}

/** What Node's parser and its time-outs refuse before there is a request. */
const REFUSED: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const NOT_HTTP = [400, 'This is not a valid HTTP request.'] as const;

/** A socket has its current response under this name, and nowhere else; Node's own answer to a client's error depends on it too. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

function answerWhatIsNotHttp(server: Server, headers: Headers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as AnsweringSocket;
    // Bytes written after the headers of an answer would be part of it.
    const isAnswering = socket._httpMessage?.headersSent ?? false;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') return void socket.destroy();
    socket.end(plainAnswer(REFUSED[error.code ?? ''] ?? NOT_HTTP, headers));
  });
}

function plainAnswer([status, sentence]: readonly [number, string], headers: Headers): string {
  const requestId = randomUUID();
  const code: ErrorCode = 'VALIDATION_FAILED';
  const body = JSON.stringify({ error: sentence, code, request_id: requestId });
  const all = {
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
