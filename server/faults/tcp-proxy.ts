import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and takes no new ones, as a cable that is pulled at the other end. */
  cut(): void;
  /** Takes connections again. */
  mend(): void;
  /** Lets bytes lie where they are: nothing breaks, nothing answers. `mend` sets them going. */
  freeze(): void;
  stop(): Promise<void>;
}

/** A line to a port of this machine that a test can pull out and put back. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }

  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    keep(target);
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
    mend() {
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
