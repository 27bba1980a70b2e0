import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_MS = 10_000;
const SWEEP_MS = 50;

/**
 * Prepares a server that has not received a request yet. The returned function ends it: it refuses new connections,
 * closes idle ones, completes the requests in flight, whose responses close their connections, and closes the rest after
 * 10 seconds.
 */
export function createDrain(server: Server): () => Promise<void> {
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  server.prependListener('request', (_request, response) => {
    if (closing) response.shouldKeepAlive = false;
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });
  return async () => {
    closing = true;
    for (const response of inFlight) response.shouldKeepAlive = false;
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
  };
}
