import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { checkAnswer } from '../openapi/test-document.ts';

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
}

/** Sends a request with its path unchanged, which fetch would normalise. */
export async function rawRequest(
  url: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const content = body === undefined ? '' : JSON.stringify(body);
  const type = content ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) } : {};
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...type, ...headers } }, resolve);
    sent.once('error', reject).end(content);
  });
  const received = await text(response);
  const isJson = (response.headers['content-type'] ?? '').startsWith('application/json') && received !== '';
  const parsed = isJson ? JSON.parse(received) : null;
  const status = response.statusCode ?? 0;
  checkAnswer(method, path, { status, header: (name) => String(response.headers[name] ?? ''), text: received });
  return { status, headers: response.headers, text: received, body: parsed };
}

/** Targets of a request line that are no URL, or not one of a path. */
export const MALFORMED_TARGETS = [
  '//[',
  '//[::1/tx',
  'http://[',
  'http://a:99999/',
  '//a:b@c:x/',
  '/%',
  '/%ff',
  '*',
  '//',
];

/** Writes bytes to a connection and returns everything received until the service closes it. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  return text(socket);
}
