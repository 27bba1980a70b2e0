import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { NETWORK_FACTORS } from '../../client-address.ts';
import { countedNames } from './connection-counts.ts';

interface Connection {
  readonly socket: Socket;
  readonly names: readonly (string | null)[];
  /** Requests that wait for the end of their response. */
  requests: number;
  /** Grows with each connection that becomes idle. */
  idleSince: number;
  /** Null until the connection is counted. */
  onClosed: (() => void) | null;
  release(): void;
}

export interface IdleConnections {
  /**
   * Watches a new connection. The result is called once it is counted, with what to call once when it is closed or its place is
   * given away.
   */
  add(socket: Socket, client: string | null): (onClosed: () => void) => void;
  /** Closes the longest idle connection of the client that holds most; false if none is idle. */
  closeOne(): boolean;
}

/** The connections of a server, and which of them wait for a request. One with a request is never closed. */
export function watchIdleConnections(server: Server): IdleConnections {
  const connections = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  /** A TLS socket is another object than the connection below it. */
  const byPeer = new Map<string, Connection>();
  const open = new Map<string | null, number>();
  let time = 0;

  const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress}`;
  const count = ({ names }: Connection, change: number) => {
    for (const name of names) {
      const left = (open.get(name) ?? 0) + change;
      if (left === 0) open.delete(name);
      else open.set(name, left);
    }
  };
  /** Of its address or of a network of it, by the allowance of each. */
  const held = ({ names }: Connection): number =>
    Math.max(...names.map((name, index) => (open.get(name) ?? 0) / (NETWORK_FACTORS[index] ?? 1)));

  server.on('secureConnection', (socket: Socket) => {
    const connection = byPeer.get(peerOf(socket));
    if (connection) bySocket.set(socket, connection);
  });
  server.on('request', ({ socket }, response) => {
    const connection = bySocket.get(socket);
    if (!connection) return;
    connection.requests += 1;
    response.on('close', onResponded);
  });
  function onResponded(this: ServerResponse): void {
    const connection = bySocket.get(this.req.socket);
    if (!connection) return;
    connection.requests -= 1;
    connection.idleSince = ++time;
  }

  return {
    add(socket, client) {
      const peer = peerOf(socket);
      const connection: Connection = {
        socket,
        names: countedNames(client),
        requests: 0,
        idleSince: ++time,
        onClosed: null,
        release() {
          if (byPeer.get(peer) === connection) byPeer.delete(peer);
          if (!connections.delete(connection)) return;
          count(connection, -1);
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
        count(connection, 1);
      };
    },

    closeOne() {
      let found: Connection | null = null;
      let most = 0;
      for (const connection of connections) {
        if (connection.requests > 0) continue;
        const holds = held(connection);
        if (holds < most || (found && holds === most && connection.idleSince > found.idleSince)) continue;
        found = connection;
        most = holds;
      }
      found?.socket.destroy();
      found?.release();
      return found !== null;
    },
  };
}
