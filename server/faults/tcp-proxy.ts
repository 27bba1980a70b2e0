import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Resets every connection and every new one. */
  cut(): void;
  /** Forwards again. */
  restore(): void;
  /** Stops forwarding without closing connections; `restore` sends the bytes that waited. */
  freeze(): void;
  stop(): Promise<void>;
}

/** A proxy to a local port that a test can interrupt and restore. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }

  const server = createServer((client) => {
    track(client);
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    track(target);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (chunk) => to.write(chunk)).on('close', () => to.destroy());
    }
    if (state === 'frozen') for (const socket of [client, target]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    restore() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
