import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createRequestListener } from '../http/request-listener.ts';
import { loadWallet } from '../network/wallet.ts';
import { startService } from '../service.ts';

// The API in a process of its own. It is also built in the folder of the previous version, and must fit that one too.
process.once('disconnect', () => process.exit(1));
const config = readConfig();
const service = await startService({
  config,
  log: pino({ level: config.LOG_LEVEL, base: null }),
  databaseUrl: config.DATABASE_URL ?? '',
  gateway: {
    urls: config.ARWEAVE_GATEWAY_URL ?? [],
    kind: 'devnet',
    wallet: loadWallet(config.ARWEAVE_WALLET_FILE ?? ''),
  },
  publicUrl: () => 'http://localhost',
});
const server = createHttpServer(config, service.context.securityEvents);
server.on('request', createRequestListener(service.context, null));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
