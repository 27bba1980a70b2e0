import type { AddressInfo } from 'node:net';
import { destination, pino } from 'pino';
import { readConfig } from '../../config.ts';
import { databaseProblem } from '../../db/database-problem.ts';
import { createDrain } from '../../http/drain.ts';
import { createHttpServer } from '../../http/http-server.ts';
import { createRequestListener } from '../../http/request-listener.ts';
import { loadWallet } from '../../network/wallet.ts';
import { startService } from '../../service.ts';
import { createShutdown } from '../../shutdown.ts';

// A serving process as main.ts starts it, without pages. The database and the network are started by the harness.
process.once('disconnect', () => process.exit(1));
const shutdown = createShutdown();
process.once('SIGTERM', () => void shutdown.run(0));

const config = readConfig();
const log = pino({ level: config.LOG_LEVEL, base: null }, destination({ fd: 1, sync: true }));
const databaseUrl = config.DATABASE_URL ?? '';
const problem = await databaseProblem(databaseUrl);
if (problem) fail(problem);
const service = await startService({
  config,
  log,
  databaseUrl,
  // The kind decides how often bundles are looked up; the harness does not wait 15 seconds.
  gateway: {
    url: config.ARWEAVE_GATEWAY_URL ?? '',
    kind: 'devnet',
    wallet: loadWallet(config.ARWEAVE_WALLET_FILE ?? ''),
  },
  publicUrl: () => config.PUBLIC_URL ?? '',
  signatureThread: true,
}).catch((error: Error) => fail(error.message));
shutdown.addStep('the service', service.stop);
const server = createHttpServer(config, service.context.securityEvents);
const drain = createDrain(server);
server.on('request', createRequestListener(service.context, null));
await new Promise<void>((resolve) => server.listen(config.PORT, '127.0.0.1', resolve));
shutdown.addStep('the HTTP server', drain.end);

process.on('message', async (request) => {
  if (request !== 'memory') return;
  // A second collection frees what the finalizers of the first released.
  for (let times = 0; times < 2; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.send?.(process.memoryUsage());
});
process.send?.({ port: (server.address() as AddressInfo).port });

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
