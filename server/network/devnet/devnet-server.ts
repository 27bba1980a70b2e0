import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { parseUrl } from '../../../protocol/parse-url.ts';

/** A response; `cut` closes the connection instead. */
export type Answer =
  | {
      status: number;
      type?: string;
      headers?: Readonly<Record<string, string>>;
      body: string | Buffer | AsyncIterable<Buffer>;
    }
  | 'cut';

export type DevnetRequest = {
  method: string;
  path: string;
  search: URLSearchParams;
  /** True if a web page sent it or the host name is not a loopback one. */
  foreign: boolean;
  /** The body parsed as JSON; undefined if it is not JSON. */
  json(): unknown;
};

class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** How long `stop` waits for requests in flight. */
const STOP_MS = 1_000;
const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

type Written = Exclude<Answer, 'cut'>;

export const text = (status: number, body: string): Written => ({ status, type: 'text/plain; charset=utf-8', body });
export const json = (status: number, value: unknown): Written => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

/** Serves on 127.0.0.1 only. If `answer` throws, `onError` receives the error and the client a 500 without details. */
export async function listen(
  port: number,
  answer: (request: DevnetRequest) => Promise<Answer>,
  onError: (error: unknown, path: string) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response, answer, onError).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => stop(server),
  };
}

async function stop(server: Server): Promise<void> {
  const timeout = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timeout);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answerTo: (request: DevnetRequest) => Promise<Answer>,
  onError: (error: unknown, path: string) => void,
): Promise<void> {
  const url = parseUrl(request.url ?? '/', 'http://127.0.0.1');
  let answer: Answer;
  try {
    const body = await readBody(request);
    answer = !url
      ? text(400, 'Bad request.')
      : await answerTo({
          method: request.method ?? 'GET',
          path: url.pathname,
          search: url.searchParams,
          foreign: request.headers.origin !== undefined || !LOOPBACK_HOST.test(request.headers.host ?? ''),
          json: () => parsed(body),
        });
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      response.setHeader('connection', 'close');
      answer = text(413, 'Payload too large');
    } else {
      // The client disconnected while sending its body.
      if (request.destroyed && !request.complete) return;
      onError(error, url?.pathname ?? '');
      answer = text(500, 'Internal server error.');
    }
  }
  if (answer === 'cut') {
    request.socket.destroy();
    return;
  }
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-type', answer.type ?? 'application/octet-stream');
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.statusCode = answer.status;
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) response.end(answer.body);
  else await pipeline(answer.body, response);
}

/** The body is read before responding: a client that is still sending would get a connection reset instead. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
