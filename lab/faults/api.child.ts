import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { readConfig } from '../../server/config.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import { createRequestListener } from '../../server/http/request-listener.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { startService } from '../../server/processes/service.ts';

// The API in a process of its own. It is also built in the folder of the previous version, and must fit that one too.
process.once('disconnect', () => process.exit(1));
const config = readConfig();
/** In the previous version the setting is one URL, and so is the part of the service. */
const urls = [config.ARWEAVE_GATEWAY_URL ?? []].flat();
const wallet = loadWallet(config.ARWEAVE_WALLET_FILE ?? '');
const gateway = { urls, url: urls[0], kind: 'devnet', wallet } as const;
const service = await startService({
  config,
  log: pino({ level: config.LOG_LEVEL, base: null }),
  databaseUrl: config.DATABASE_URL ?? '',
  gateway,
  publicUrl: () => 'http://localhost',
});
const server = createHttpServer(config, service.context.securityEvents);
server.on('request', createRequestListener(service.context, null));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
