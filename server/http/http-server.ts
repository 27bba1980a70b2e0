import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Config } from '../config.ts';
import type { TlsFiles } from '../platform/listening/tls-files.ts';
import type { SecurityEvents } from '../platform/observe/security-events.ts';
import type { ConnectionCounts } from '../platform/process/parent-process.ts';
import { clientAddress } from '../settings/client-address.ts';
import { JSON_TYPE } from './http.ts';
import { createConnectionCounts } from './limits/connection-counts.ts';
import { watchIdleConnections } from './limits/idle-connections.ts';
import { type Headers, securityHeaders } from './security-headers.ts';

export interface HttpServerSettings {
  readonly KEEP_ALIVE_MS: number;
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
  readonly PUBLIC_URL: string | undefined;
  readonly HSTS: Config['HSTS'];
  readonly RATE_LIMIT: boolean;
  readonly TRUST_PROXY: number;
}

/** For the handshake of TLS, and again for the headers of a request. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/** How often Node checks connections for timeouts. */
const CHECK_MS = 1_000;
/** A connection without traffic in either direction, such as that of a client that does not read its response. */
const IDLE_MS = 120_000;
/** Node drops further headers, which may be those a proxy appends; the request listener refuses the request instead. */
export const MAX_HEADERS = 100;

const OPTIONS: ServerOptions = {
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: CHECK_MS,
  // The request listener refuses a request without Host: Node's response would lack our headers.
  requireHostHeader: false,
};

interface ServerParts {
  /** Counts connections together with other processes. */
  readonly counts?: ConnectionCounts | undefined;
  /** Serves HTTPS with them; otherwise HTTP. */
  readonly tls?: TlsFiles | null;
  /** A clock in ms that only moves forward. */
  readonly now?: () => number;
}

/**
 * Creates Node's server with limits on the time and number of connections. All its responses, errors included, are
 * ours.
 */
export function createHttpServer(
  settings: HttpServerSettings,
  events: SecurityEvents,
  { counts = createConnectionCounts(settings), tls = null, now = () => performance.now() }: ServerParts = {},
): Server | TlsServer {
  const server = tls ? tlsServer(tls) : createServer(OPTIONS);
  server.timeout = IDLE_MS;
  server.maxHeadersCount = MAX_HEADERS + 1;
  // Node closes idle connections after 5 seconds, which loses a request sent at that moment. A proxy in front keeps
  // connections for a minute and should be the side that closes them.
  server.keepAliveTimeout = settings.KEEP_ALIVE_MS;
  // Node would refuse an unknown expectation; RFC 9110 §10.1.1 lets a server ignore it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Behind a proxy all connections have the proxy's address.
  limitConnections(server, { counts, events, byAddress: settings.RATE_LIMIT && settings.TRUST_PROXY === 0, now });
  respondToClientErrors(server, securityHeaders(settings));
  return server;
}

function tlsServer(tls: TlsFiles): TlsServer {
  const server = createTlsServer({ ...OPTIONS, ...tls, handshakeTimeout: HEADERS_MS });
  // Node would pass a failed handshake to respondToClientErrors, but nothing can be sent on it.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_, socket) => socket.destroy());
  return server;
}

interface ConnectionLimits {
  readonly counts: ConnectionCounts;
  readonly events: SecurityEvents;
  readonly byAddress: boolean;
  readonly now: () => number;
}

/** Other processes may take the place that this one made. */
const PLACES_MADE = 3;

function limitConnections(server: Server, { counts, events, byAddress, now }: ConnectionLimits): void {
  const connections = watchIdleConnections(server, now);
  server.on('connection', async (socket) => {
    const address = clientAddress({ socketAddress: socket.remoteAddress, forwardedFor: undefined, trustProxy: 0 });
    const client = byAddress ? address : null;
    // Its first request may arrive before the verdict.
    const counted = connections.add(socket, client);
    try {
      let verdict = await counts.opened(client);
      for (let made = 0; verdict === 'total' && made < PLACES_MADE && connections.closeOne(client); made++) {
        verdict = await counts.opened(client);
      }
      if (verdict === 'counted') {
        counted(() => counts.closed(client));
        return;
      }
      if (verdict === 'address')
        events.refused('TOO_MANY_CONNECTIONS', { address, requestId: randomUUID(), route: 'connection' });
    } catch {
      // The parent process does not answer: without a count there is no connection.
    }
    socket.destroy();
  });
}

/** Errors of Node's parser and timeouts, before a request exists. */
const REFUSED: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const NOT_HTTP = [400, 'This is not a valid HTTP request.'] as const;

/** Node stores a socket's current response only under this internal name; its own error response depends on it too. */
export type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

function respondToClientErrors(server: Server, headers: Headers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as AnsweringSocket;
    // Bytes written after the headers of a response would become part of it.
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
