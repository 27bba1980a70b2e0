import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import { clientAddress, isLoopback } from '../client-address.ts';
import type { RestRequest, RestResponse } from './http.ts';

/** Where main.ts puts the client's address for everything behind it; whatever a client sends under this name is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-perpetua-client-address';

/** The client's address of a request of Node's own server. */
export const addressOf = (request: IncomingMessage, trustProxy: number): string =>
  clientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor: single(request.headers['x-forwarded-for']),
    trustProxy,
  });

/** The client's address from that header, for code that Next runs; `unknown` is one client for the limiter. */
export const clientAddressOf = (headers: Headers): string => headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';

/** A request of Node's own server, with the target that the edge has read. */
export const fromNode = (
  request: IncomingMessage,
  { path, query }: Pick<RestRequest, 'path' | 'query'>,
  address: string,
): RestRequest => ({
  method: request.method ?? 'GET',
  path,
  query,
  header: (name) => single(request.headers[name]),
  address,
  isLocal: () => isLocal(request),
  body: (maxBytes) => readBody(request, maxBytes),
});

/** What a proxy adds, or a browser for the page of another site; none of it can be sent along to seem local. */
const SENT_ALONG = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via', 'origin'];

const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? '') && SENT_ALONG.every((name) => headers[name] === undefined);

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const brokenOff = () => reject(refusal('INVALID_JSON', 'The connection ended before the whole body had come.'));
    // It may have waited for its turn, and the client may have gone meanwhile.
    if (request.destroyed) return brokenOff();
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
    request.on('error', brokenOff).on('close', brokenOff);
  });
}

interface Sending {
  /** Headers where the answer has none of that name. */
  readonly defaults?: RestResponse['headers'];
  /** Whether the connection ends with the answer. */
  readonly closes?: boolean;
  readonly onBroken?: (error: unknown) => void;
}

export function send(
  response: ServerResponse,
  { status, headers, body }: RestResponse,
  { defaults, closes = false, onBroken = () => undefined }: Sending = {},
): void {
  if (closes) response.setHeader('connection', 'close');
  if (body === null || typeof body === 'string') {
    if (body === null) response.writeHead(status, { ...defaults, ...headers }).end();
    else response.writeHead(status, { ...defaults, ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, { ...defaults, ...headers });
  void stream(body, response, onBroken);
}

/** Until there is room again, or nobody to write to. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

async function stream(
  body: AsyncIterable<string>,
  response: ServerResponse,
  onBroken: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const part of body) {
      if (response.destroyed) return;
      if (!response.write(part)) await drained(response);
    }
    response.end();
  } catch (error) {
    onBroken(error);
    response.destroy();
  }
}
