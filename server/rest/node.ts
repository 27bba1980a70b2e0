import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import { clientAddress } from '../limits/client-address.ts';
import { handle } from './handle.ts';
import type { RestRequest, RestResponse } from './http.ts';

/** Where main.ts puts the client's address for everything behind it; whatever a client sends under this name is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-perpetua-client-address';

/** Answers a request of Node's own server. */
export async function serve(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const broken = (error: unknown) => context.log.error({ err: error }, 'an answer broke off');
  send(response, await handle(context, fromNode(request, context.config.TRUST_PROXY)), broken);
}

/** The client's address of a request of Node's own server. */
export const addressOf = (request: IncomingMessage, trustProxy: number): string =>
  clientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor: single(request.headers['x-forwarded-for']),
    trustProxy,
  });

function fromNode(request: IncomingMessage, trustProxy: number): RestRequest {
  const url = originForm(request.url ?? '/');
  const mark = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    header: (name) => single(request.headers[name]),
    address: addressOf(request, trustProxy),
    body: (maxBytes) => readBody(request, maxBytes),
  };
}

/** RFC 9112 §3.2.2: a server takes the absolute form too; whose name stands in it does not matter here. */
export const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?]*/i, '') || '/';

/** The path of a request target, still percent-encoded. */
export const pathOf = (target: string): string => target.split('?', 1)[0] ?? '/';

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

export function send(
  response: ServerResponse,
  { status, headers, body }: RestResponse,
  onBroken: (error: unknown) => void = () => undefined,
): void {
  if (body === null || typeof body === 'string') {
    const sized = body === null ? headers : { 'content-length': Buffer.byteLength(body), ...headers };
    response.writeHead(status, sized).end(body ?? undefined);
    return;
  }
  response.writeHead(status, headers);
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
