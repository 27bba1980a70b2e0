import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Witness, WitnessAnswer } from './witness.ts';

/** A request has at most 63 hashes and a checkpoint, which C2SP signed-note expects to have 16 signatures of up to 5 kB. */
const MAX_BODY_BYTES = 131_072;
const MAX_CONNECTIONS = 256;
const HEADERS_MS = 5_000;
/** For a whole request. */
const REQUEST_MS = 10_000;
/** A connection without traffic, such as that of a client that does not read its response. */
const IDLE_MS = 60_000;

export interface ListeningWitness {
  readonly port: number;
  /** Completes the requests in flight. */
  stop(): Promise<void>;
}

/** Serves `POST /add-checkpoint`, `GET /<SHA-256 of an origin>/checkpoint`, and `GET /health`. If the witness throws, the status is 500. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  witness: Witness,
  onError: (error: unknown) => void,
): Promise<ListeningWitness> {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };
  const server = createServer({ ...limits, keepAliveTimeout: IDLE_MS }, (request, response) => {
    respond(request, response, witness).catch((error) => {
      onError(error);
      end(request, response, { status: 500, type: 'text/plain', body: 'The witness failed.\n' });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server) };
}

async function respond(request: IncomingMessage, response: ServerResponse, witness: Witness): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  const originDigest = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1];
  const isRead = path === '/health' || originDigest !== undefined;
  if (!isRead && path !== '/add-checkpoint') return end(request, response, plain(404, 'Not found.'));
  const method = isRead ? 'GET' : 'POST';
  if (request.method !== method) {
    response.setHeader('allow', method);
    return end(request, response, plain(405, `Only ${method} is supported.`));
  }
  if (originDigest !== undefined) return end(request, response, lastCheckpoint(witness.checkpoint(originDigest)));
  if (isRead) return end(request, response, plain(200, 'ok'));
  const body = await readBody(request);
  if (body === 'cut') return;
  if (body === 'too large') return end(request, response, plain(413, `A body has at most ${MAX_BODY_BYTES} bytes.`));
  end(request, response, await witness.addCheckpoint(body));
}

const TEXT = 'text/plain; charset=utf-8';

const plain = (status: number, sentence: string): WitnessAnswer => ({ status, type: TEXT, body: `${sentence}\n` });

const lastCheckpoint = (note: string | null): WitnessAnswer =>
  note === null
    ? plain(404, 'This witness has no checkpoint of a log with this origin.')
    : { status: 200, type: TEXT, body: note };

/** Closes the connection unless the request was read to its end. */
function end(request: IncomingMessage, response: ServerResponse, { status, type, body }: WitnessAnswer): void {
  if (response.headersSent) return;
  const isRead = request.complete;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(isRead ? {} : { connection: 'close' }),
  });
  response.end(body, () => {
    if (!isRead) request.socket.destroySoon();
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'cut'> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      size += (part as Buffer).byteLength;
      if (size > MAX_BODY_BYTES) return 'too large';
      parts.push(part as Buffer);
    }
  } catch {
    return 'cut';
  }
  return Buffer.concat(parts);
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), REQUEST_MS);
  await closed;
  clearTimeout(timer);
}
