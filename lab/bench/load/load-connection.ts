import { once } from 'node:events';
import { connect } from 'node:net';
import { createResponseReader, type Response } from './response-reader.ts';

/** One keep-alive connection to 127.0.0.1 that carries one request at a time. */
export interface Connection {
  /**
   * Sends the bytes of one whole HTTP/1.1 request.
   * @throws {Error} when the connection breaks or what it receives is no response.
   */
  request(bytes: Buffer): Promise<Response>;
  close(): void;
}

interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let waiting: Waiting | undefined;
  let broken: Error | undefined;

  const settle = (): Waiting | undefined => {
    const settled = waiting;
    waiting = undefined;
    return settled;
  };
  const breakWith = (error: Error) => {
    broken ??= error;
    socket.destroy();
    settle()?.reject(broken);
  };
  const read = createResponseReader((response) => {
    const request = settle();
    if (request) request.resolve(response);
    else breakWith(new Error('The server sent a response without a request.'));
  });
  socket.on('data', (received) => {
    try {
      read(received);
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
        if (waiting) return reject(new Error('This connection is already waiting for a response.'));
        waiting = { resolve, reject };
        socket.write(bytes);
      }),
    close: () => socket.destroy(),
  };
}

export async function openConnections(port: number, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(port)));
}
