import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TcpProxy {
  readonly port: number;
  /** Resets every connection and every new one. */
  cut(): void;
  /** Forwards again. Connections that lost bytes are reset. */
  restore(): void;
  /** Stops forwarding without closing connections; `restore` sends the bytes that waited. */
  freeze(): void;
  /** Holds each chunk back for up to `ms`, in order. */
  delay(ms: number): void;
  /** Discards every byte, as a firewall that drops packets does. */
  drop(): void;
  /** Resets each connection on which PostgreSQL has committed, instead of delivering its answer to COMMIT. */
  loseCommits(): void;
  stop(): Promise<void>;
}

type State = 'open' | 'cut' | 'frozen' | 'delaying' | 'dropping' | 'losing commits';
type End = 'client' | 'target';

/** CommandComplete of COMMIT: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/** Two ends of a connection. */
interface Pair {
  readonly sockets: readonly [client: Socket, target: Socket];
  /** Whether bytes were lost. */
  spoiled: boolean;
}

/**
 * A proxy to a local port that a test can interrupt and restore.
 * @param targetPort a function if the port changes; each new connection is forwarded to the current one
 * @param host the address to listen on
 */
export async function startTcpProxy(targetPort: number | (() => number), host = '127.0.0.1'): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let state: State = 'open';
  let delayMs = 0;

  function forward(pair: Pair, end: End): void {
    const [from, to] = end === 'client' ? pair.sockets : [pair.sockets[1], pair.sockets[0]];
    let delivered = Promise.resolve();
    let waiting = 0;
    const deliverLater = async (chunk: Buffer, after: Promise<void>) => {
      const held = state === 'delaying' ? sleep(Math.random() * delayMs) : null;
      await after;
      await held;
      waiting -= 1;
      to.write(chunk);
    };
    from.on('data', (chunk: Buffer) => {
      if (state === 'dropping') pair.spoiled = true;
      if (state === 'losing commits' && end === 'target' && chunk.includes(COMMITTED)) {
        for (const socket of pair.sockets) socket.resetAndDestroy();
        return;
      }
      if (pair.spoiled) return;
      if (state !== 'delaying' && waiting === 0) {
        to.write(chunk);
        return;
      }
      waiting += 1;
      delivered = deliverLater(chunk, delivered);
    });
    from
      .on('error', () => undefined)
      .on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
  }

  const eachSocket = (act: (socket: Socket) => void) => {
    for (const { sockets } of [...pairs]) for (const socket of sockets) act(socket);
  };

  const server = createServer((client) => {
    if (state === 'cut') {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const target = connect(typeof targetPort === 'number' ? targetPort : targetPort(), '127.0.0.1');
    const pair: Pair = { sockets: [client, target], spoiled: false };
    pairs.add(pair);
    forward(pair, 'client');
    forward(pair, 'target');
    if (state === 'frozen') for (const socket of pair.sockets) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));

  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut';
      eachSocket((socket) => socket.resetAndDestroy());
    },
    restore() {
      state = 'open';
      for (const { spoiled, sockets } of [...pairs]) {
        for (const socket of sockets) spoiled ? socket.resetAndDestroy() : socket.resume();
      }
    },
    freeze() {
      state = 'frozen';
      eachSocket((socket) => socket.pause());
    },
    delay(ms) {
      state = 'delaying';
      delayMs = ms;
    },
    drop() {
      state = 'dropping';
    },
    loseCommits() {
      state = 'losing commits';
    },
    async stop() {
      eachSocket((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
