import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import { clientAddress, isLoopback } from '../settings/client-address.ts';
import { isLive, type LiveBody, type RestRequest, type RestResponse } from './http.ts';
import { limitedElsewhere } from './limits/idle-connections.ts';

/**
 * The header in which the request listener passes the client's address to Next. A client's own header of this name is
 * overwritten.
 */
export const CLIENT_ADDRESS_HEADER = 'x-perpetua-client-address';

/** The client's address of a request to Node's server. */
export const addressOf = (request: IncomingMessage, trustProxy: number): string =>
  clientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor: single(request.headers['x-forwarded-for']),
    trustProxy,
  });

/** The client's address from that header, for code that Next runs; `unknown` is one client for the limiter. */
export const clientAddressOf = (headers: Headers): string => headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';

/** Adapts a request of Node's server, with its parsed target. @param body reads the body */
export const fromNode = (
  request: IncomingMessage,
  { path, query }: Pick<RestRequest, 'path' | 'query'>,
  address: string,
  body: RestRequest['body'] = (maxBytes) => readBody(request, maxBytes),
): RestRequest => ({
  method: request.method ?? 'GET',
  path,
  query,
  header: (name) => single(request.headers[name]),
  address,
  isLocal: () => isLocal(request),
  body,
});

/** Headers that a proxy adds, or a browser on another site. A client cannot remove them to appear local. */
export const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via', 'origin'];

const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined);

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const fail = () => reject(refusal('INVALID_JSON', 'The connection ended before the whole body arrived.'));
    // The body may have waited in the queue, and the client may have disconnected.
    if (request.destroyed) return fail();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.pause();
        return resolve(null);
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', fail).on('close', () => request.complete || fail());
  });
}

interface Sending {
  /** Headers used unless the response sets them. */
  readonly defaults?: RestResponse['headers'];
  /** Whether to close the connection after the response. */
  readonly closes?: boolean;
  readonly onError?: (error: unknown) => void;
}

export function send(
  response: ServerResponse,
  { status, headers, body }: RestResponse,
  { defaults, closes = false, onError = () => undefined }: Sending = {},
): void {
  if (closes) response.setHeader('connection', 'close');
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const list = headerList(headers, defaults);
    if (body === null) response.writeHead(status, list).end();
    else response.writeHead(status, [...list, 'content-length', String(Buffer.byteLength(body))]).end(body);
    return;
  }
  response.writeHead(status, headerList(headers, defaults));
  void stream(body, response, onError);
}

/** Names and values in turn, as Node writes them; an object with so many members would be slow to build and to read. */
function headerList(headers: RestResponse['headers'], defaults: RestResponse['headers'] = {}): string[] {
  const list: string[] = [];
  for (const name in defaults) if (!(name in headers)) list.push(name, defaults[name] ?? '');
  for (const name in headers) list.push(name, headers[name] ?? '');
  return list;
}

type Drained = 'drained' | 'late';

/** Resolves when the response can take more data or is closed, or after `maxMs`. */
function drained(response: ServerResponse, maxMs: number): Promise<Drained> {
  return new Promise((resolve) => {
    const late = Number.isFinite(maxMs) ? setTimeout(settle, maxMs, 'late' satisfies Drained) : undefined;
    const drain = () => settle('drained');
    function settle(result: Drained) {
      clearTimeout(late);
      response.off('drain', drain).off('close', drain);
      resolve(result);
    }
    response.on('drain', drain).on('close', drain);
  });
}

async function stream(
  body: AsyncIterable<string> | LiveBody,
  response: ServerResponse,
  onError: (error: unknown) => void,
): Promise<void> {
  const live = isLive(body) ? body : null;
  if (live) limitedElsewhere.add(response);
  const leave = () => live?.leave();
  response.once('close', leave);
  try {
    if (response.destroyed) return leave();
    for await (const part of body) {
      if (response.destroyed) return;
      if (response.write(part)) continue;
      if ((await drained(response, live?.slow.afterMs ?? Number.POSITIVE_INFINITY)) === 'drained') continue;
      response.end(live?.slow.lastLine);
      setTimeout(() => response.destroy(), live?.slow.lastLineMs).unref();
      return;
    }
    response.end();
  } catch (error) {
    onError(error);
    response.destroy();
  }
}
