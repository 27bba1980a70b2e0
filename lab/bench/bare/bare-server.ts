import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const POOL_SIZE = 8;

/** What the process of a bare loop sends once it listens. */
export interface BareReady {
  readonly port: number;
}

/** Runs a bare loop in this process, on a free port and on the database named in the first argument. */
export async function serveBare(create: (pool: pg.Pool) => Server): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.argv[2], max: POOL_SIZE, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  const server = create(pool).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => undefined);
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies BareReady);
}

/** Reads the body of each request and passes it to `handle`; a failure becomes status 500. */
export function withBody(
  handle: (body: Buffer, response: ServerResponse) => Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      handle(body, response).catch((error: Error) => sendJson(response, 500, { error: error.message }));
    });
  };
}

export function sendJson(response: ServerResponse, status: number, content: object): void {
  const body = JSON.stringify(content);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}
