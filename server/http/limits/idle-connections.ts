import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NETWORK_FACTORS } from '../../settings/client-address.ts';
import { countedNames } from './connection-counts.ts';

/** Only the internal handle knows how much of a large write the kernel has taken: bytes, of which the latter still wait. */
type Handle = { readonly bytesWritten: number; readonly writeQueueSize: number };
type CountingSocket = Socket & { readonly _handle?: Handle | null };

interface Connection {
  /** Below TLS. */
  readonly socket: CountingSocket;
  readonly names: Names;
  /** Requests that wait for the end of their response. */
  requests: number;
  /** Of its last request; null if it is idle. */
  response: ServerResponse | null;
  /** Grows with each connection that becomes idle. */
  idleSince: number;
  /** When it was seen to wait for its client, in ms of the clock; null if it does not. */
  waitsSince: number | null;
  /** Bytes in both directions until then. */
  moved: number;
  /** Null until the connection is counted. */
  onClosed: (() => void) | null;
  release(): void;
}

type Names = readonly (string | null)[];
type Counts = Map<string | null, number>;

export interface IdleConnections {
  /**
   * Watches a new connection. The result is called once it is counted, with what to call once when it is closed or its place is
   * given away.
   */
  add(socket: Socket, client: string | null): (onClosed: () => void) => void;
  /**
   * Closes a connection for a new one of `client`: of those that are idle or whose client stalls, the longest idle of the
   * client that holds most. False if none is, or if that client would hold no more than the new one's.
   */
  closeOne(client: string | null): boolean;
}

/** A client stalls if it moves fewer bytes in this time while the service waits for it. */
const STALLED_MS = 5_000;
const MIN_BYTES = 20_000;
/** Looking at all connections takes about 2 ms for 2,000, so that new ones share the result. */
const SCAN_MS = 100;

/** Responses that may stall because they have limits of their own. */
export const limitedElsewhere = new WeakSet<ServerResponse>();

function add(counts: Counts, names: Names, change: number): void {
  for (const name of names) {
    const left = (counts.get(name) ?? 0) + change;
    if (left === 0) counts.delete(name);
    else counts.set(name, left);
  }
}

/** The connections of a server, and which of them wait for their client: for a request, or to read or send a body. */
export function watchIdleConnections(server: Server, now: () => number): IdleConnections {
  const connections = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  /** A TLS socket is another object than the connection below it. */
  const byPeer = new Map<string, Connection>();
  const open: Counts = new Map();
  let time = 0;
  /** The best one is the last. */
  let closable: Connection[] = [];
  let scannedAt = Number.NEGATIVE_INFINITY;

  const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress}`;
  /** What an address or a network of it holds, by the allowance of each. */
  const held = (names: Names, change: (name: string | null) => number): number =>
    Math.max(...names.map((name, index) => ((open.get(name) ?? 0) + change(name)) / (NETWORK_FACTORS[index] ?? 1)));

  server.on('secureConnection', (socket: Socket) => {
    const connection = byPeer.get(peerOf(socket));
    if (connection) bySocket.set(socket, connection);
  });
  server.on('request', ({ socket }, response) => {
    const connection = bySocket.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.response = response;
    response.on('close', onResponded);
  });
  function onResponded(this: ServerResponse): void {
    const connection = bySocket.get(this.req.socket);
    if (!connection) return;
    connection.requests -= 1;
    connection.idleSince = ++time;
    if (connection.requests > 0) return;
    connection.response = null;
    connection.waitsSince = null;
  }

  /** Whether the kernel takes no more of a response, or a body that is being read has not arrived; then it looks at the progress. */
  function isStalled(connection: Connection, at: number): boolean {
    const { socket, response } = connection;
    const handle = socket._handle;
    if (!response || !handle) return false;
    const { complete, readableFlowing } = response.req;
    const isWaiting = handle.writeQueueSize > 0 || (!complete && readableFlowing === true);
    if (!isWaiting || limitedElsewhere.has(response)) {
      connection.waitsSince = null;
      return false;
    }
    const moved = handle.bytesWritten - handle.writeQueueSize + socket.bytesRead;
    if (connection.waitsSince !== null) {
      if (at - connection.waitsSince < STALLED_MS) return false;
      if (moved - connection.moved < MIN_BYTES) return true;
    }
    connection.waitsSince = at;
    connection.moved = moved;
    return false;
  }

  const isClosable = (connection: Connection, at: number): boolean =>
    connection.requests === 0 || isStalled(connection, at);

  /** Orders those that may be closed as if each were closed before the next is chosen. */
  function look(at: number): void {
    const taken: Counts = new Map();
    closable = [...connections]
      .filter((connection) => isClosable(connection, at))
      .sort((a, b) => a.idleSince - b.idleSince)
      .map((connection) => {
        const left = held(connection.names, (name) => -(taken.get(name) ?? 0));
        add(taken, connection.names, 1);
        return { connection, left };
      })
      .reverse()
      .sort((a, b) => a.left - b.left)
      .map(({ connection }) => connection);
    scannedAt = at;
  }

  return {
    add(socket, client) {
      const peer = peerOf(socket);
      const connection: Connection = {
        socket,
        names: countedNames(client),
        requests: 0,
        response: null,
        idleSince: ++time,
        waitsSince: null,
        moved: 0,
        onClosed: null,
        release() {
          if (byPeer.get(peer) === connection) byPeer.delete(peer);
          if (!connections.delete(connection)) return;
          add(open, connection.names, -1);
          connection.onClosed?.();
        },
      };
      bySocket.set(socket, connection);
      byPeer.set(peer, connection);
      socket.once('close', connection.release);
      return (onClosed) => {
        if (socket.closed) return onClosed();
        connection.onClosed = onClosed;
        connections.add(connection);
        add(open, connection.names, 1);
      };
    },

    closeOne(client) {
      const at = now();
      if (at - scannedAt >= SCAN_MS) look(at);
      let found = closable.at(-1);
      while (found && !(connections.has(found) && isClosable(found, at))) {
        closable.pop();
        found = closable.at(-1);
      }
      // Without addresses, nothing is known about who holds what.
      const own = client === null ? 0 : held(countedNames(client), () => 1);
      if (!found || held(found.names, () => 0) <= own) return false;
      closable.pop();
      found.socket.destroy();
      found.release();
      return true;
    },
  };
}
