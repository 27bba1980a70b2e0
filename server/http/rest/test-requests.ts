import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

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
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any;
}

/** One request with its path as it is, without what fetch would put right. */
export async function ask(url: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const content = body === undefined ? '' : JSON.stringify(body);
  const type = content ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) } : {};
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...type, ...headers } }, resolve);
    sent.once('error', reject).end(content);
  });
  const answered = await text(answer);
  const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json') && answered !== '';
  const parsed = isJson ? JSON.parse(answered) : null;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: answered, body: parsed };
}

/** Writes bytes to a connection and returns everything that comes back until the other side closes it. */
export async function converse(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  return text(socket);
}
