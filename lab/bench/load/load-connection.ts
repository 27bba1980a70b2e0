import { once } from 'node:events';
import { connect } from 'node:net';
import { createResponseReader, type WireResponse } from '../../fuzz/response-reader.ts';

/** One keep-alive connection to 127.0.0.1 that carries one request at a time. */
export interface Connection {
  /**
   * Sends the bytes of one whole HTTP/1.1 request.
   * @throws {Error} when the connection breaks or what it receives is no response.
   */
  request(bytes: Buffer): Promise<WireResponse>;
  close(): void;
}

export async function openConnection(port: number): Promise<Connection> {
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
