import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import certificates from '../../../server/features/events/webhooks/test-certificates.json' with { type: 'json' };

/** A receiver of webhooks in its own process. It sends its port, then the result of each job. */
export interface ReceiverJob {
  /** Requests to wait for. */
  readonly count: number;
}

export interface ReceiverResult {
  /** From the first request of the job to the last. */
  readonly seconds: number;
}

let received = 0;
let wanted = 0;
let begun = 0;

const server = createServer(certificates.valid, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    received += 1;
    if (received === 1) begun = performance.now();
    if (received !== wanted) return;
    process.send?.({ seconds: (performance.now() - begun) / 1000 } satisfies ReceiverResult);
  });
});

process.on('message', ({ count }: ReceiverJob) => {
  received = 0;
  wanted = count;
});
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
