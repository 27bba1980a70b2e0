import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import type { AnsweringSocket } from './http-server.ts';

const STOP_MS = 10_000;
const SWEEP_MS = 50;

/** Two ways to end a server. `end` may be called while `retire` runs. */
export interface Drain {
  /**
   * Refuses new connections and closes each open one with the response to its next request, so that no request is sent
   * to a connection that is being closed. Resolves when none is open, or after `maxMs`.
   */
  retire(maxMs: number): Promise<void>;
  /**
   * Refuses new connections, closes idle ones, completes the requests in flight, whose responses close their connections,
   * and closes the rest after 10 seconds.
   */
  end(): Promise<void>;
}

/** Prepares a server that has no connection yet. */
export function createDrain(server: Server): Drain {
  // Not a set of responses: its tables, replaced every few requests, would keep finished responses in memory for long.
  const sockets = new Set<AnsweringSocket>();
  let closing = false;
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: AnsweringSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    if (closing) response.shouldKeepAlive = false;
  });

  function closeWithResponses(): void {
    closing = true;
    for (const { _httpMessage: response } of sockets) if (response) response.shouldKeepAlive = false;
  }

  return {
    async retire(maxMs) {
      closeWithResponses();
      // The method of http.Server would also close idle connections.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      const late = new AbortController();
      await Promise.race([closed, sleep(maxMs, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
    },
    async end() {
      closeWithResponses();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Otherwise a connection that becomes idle while we wait would be kept alive for seconds.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const late = new AbortController();
      void sleep(STOP_MS, undefined, { signal: late.signal }).then(
        () => server.closeAllConnections(),
        () => undefined,
      );
      await closed;
      clearInterval(sweep);
      late.abort();
    },
  };
}
