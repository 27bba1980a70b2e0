import { once } from 'node:events';
import { connect } from 'node:net';
import { createResponseReader, type WireResponse } from '../../fuzz/response-reader.ts';
import type { PreparedRequests } from './workloads.ts';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * A closed loop: each of `count` connections sends its next request as soon as it has received a response.
 * @throws {Error} at the first response with another status, with the beginning of its body.
 */
export async function closedLoop(
  { requests, expectedStatus }: PreparedRequests,
  port: number,
  count: number,
): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)));
  let next = 0;
  async function send(connection: Connection): Promise<void> {
    for (let index = next++; index < requests.length; index = next++) {
      const { status, body } = await connection.request(requests[index] as Buffer);
      if (status === expectedStatus) continue;
      const beginning = body.toString('utf8', 0, 300);
      throw new Error(`The status of a response was ${status}, not ${expectedStatus}: ${beginning}`);
    }
  }
  try {
    const begun = performance.now();
    await Promise.all(connections.map(send));
    return { requests: requests.length, seconds: (performance.now() - begun) / 1000 };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** One keep-alive connection to 127.0.0.1 that carries one request at a time. */
interface Connection {
  /**
   * Sends the bytes of one whole HTTP/1.1 request.
   * @throws {Error} when the connection breaks or what it receives is no response.
   */
  request(bytes: Buffer): Promise<WireResponse>;
  close(): void;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let waiting: { resolve(response: WireResponse): void; reject(error: Error): void } | undefined;
  let broken: Error | undefined;
  const breakWith = (error: Error) => {
    broken ??= error;
    socket.destroy();
    waiting?.reject(broken);
  };
  const reader = createResponseReader((response) => waiting?.resolve(response));
  socket.on('data', (received) => {
    try {
      reader.take(received);
    } catch (error) {
      breakWith(error as Error);
    }
  });
  socket.on('error', breakWith);
  socket.on('close', () => breakWith(new Error('The server closed the connection.')));
  return {
    request: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        waiting = { resolve, reject };
        socket.write(bytes);
      }),
    close: () => socket.destroy(),
  };
}
