import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import next from 'next';
import { destination, type Logger, pino } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { setContext } from './context.ts';
import { isConnectionLoss, isSuperuser } from './db/pool.ts';
import { startDevnet } from './embedded/devnet/devnet.ts';
import { startEmbeddedPostgres } from './embedded/postgres/embedded-postgres.ts';
import { EmbeddedPostgresError } from './embedded/postgres/error.ts';
import { createHttpServer } from './http/http-server.ts';
import { createRequestListener } from './http/request-listener.ts';
import { INSTITUTE_KEYS, loadInstituteKeys } from './keys.ts';
import { listenAddress } from './listen-address.ts';
import { loadWallet, WalletError } from './network/wallet.ts';
import { removeRunningFile, writeRunningFile } from './running-file.ts';
import { startService } from './service.ts';
import { createShutdown } from './shutdown.ts';

const shutdown = createShutdown();

// V8's default lets a small heap grow to four times its live size between collections. This limits it to twice.
setFlagsFromString('--heap-growing-percent=100');

async function main(): Promise<void> {
  /* 1. Settings and log ------------------------------------------------------------------------------------------- */
  const config = readConfig();
  const log = pino({ level: config.LOG_LEVEL, base: null }, destination({ fd: 1, sync: true }));
  const report = process.stdout.isTTY
    ? (message: string) => console.log(message)
    : (message: string) => log.info(message);
  shutdown.onError((step, error) => log.error({ err: error }, `stopping: ${step} failed`));
  if (process.getuid?.() === 0) log.warn('Perpetua runs as root, which it does not need: run it as a dedicated user');

  /* 2. Database and storage network, embedded where none is configured -------------------------------------------- */
  const embedded = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: report });
  if (embedded) shutdown.addStep('the embedded database', () => embedded.stop());
  const gateway = await storageNetwork(config, log);
  shutdown.addStep('the embedded storage network', gateway.stop);
  const databaseUrl = config.DATABASE_URL ?? embedded?.url ?? '';
  writeRunningFile(config.DATA_DIR, { pid: process.pid, gateway_url: gateway.url, database_url: databaseUrl });
  shutdown.addStep('the running file', async () => removeRunningFile(config.DATA_DIR));

  const institute = loadInstituteKeys(config);
  if (!institute.digests) {
    log.warn(
      'the institute has no keys: set INSTITUTE_KEY_DIGESTS, or institutions can be neither certified nor governed',
    );
  }
  if (institute.created) {
    report(`The institute's three keys were generated and written to ${join(config.DATA_DIR, INSTITUTE_KEYS)}`);
    // Logs are kept and read by others, so the keys are printed to a terminal only.
    if (process.stdout.isTTY) {
      for (const [index, key] of institute.created.entries()) console.log(`  institute key ${index + 1}: ${key}`);
    }
  }

  /* 3. The service ------------------------------------------------------------------------------------------------ */
  const address = { url: config.PUBLIC_URL ?? `http://localhost:${config.PORT}` };
  const service = await startService({
    config,
    log,
    databaseUrl,
    gateway,
    publicUrl: () => address.url,
    signatureThread: availableParallelism() > 1,
  });
  shutdown.addStep('the service', service.stop);
  setContext(service.context);
  if (config.DATABASE_URL && (await isSuperuser(service.context.pool))) {
    log.warn('the role of DATABASE_URL is a superuser: give the service an ordinary role that owns its database');
  }

  /* 4. HTTP: the API directly, everything else through Next -------------------------------------------------------- */
  const development = process.env.NODE_ENV === 'development';
  const server = createHttpServer(config, service.context.securityEvents);
  // Next adds an upgrade listener to the server it is given, and Node then rejects ordinary requests with an Upgrade
  // header. So Next gets a server that never listens, except in development, where hot reload needs the socket.
  const httpServer = development ? server : createServer();
  const app = next({ dev: development, dir: process.cwd(), port: config.PORT, httpServer });
  await app.prepare();
  const page = app.getRequestHandler();
  server.on('request', createRequestListener(service.context, page));
  const listening = listenAddress(config);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.PORT, listening.host, resolve);
  });
  shutdown.addStep('the HTTP server', () => shutdown.drain(server));

  /* 5. Ready ------------------------------------------------------------------------------------------------------ */
  const { port } = server.address() as AddressInfo;
  if (!config.PUBLIC_URL) address.url = `http://localhost:${port}`;
  report(`Perpetua serves on ${address.url}`);
  report(listening.sentence);
  report(`Its data is in ${config.DATA_DIR}${embedded ? `, its database in ${embedded.directory}` : ''}`);
  if (gateway.kind === 'devnet')
    report('It writes to the embedded devnet, which is not permanent; see docs/operations.md for the real network.');
}

async function storageNetwork(config: Config, log: Logger) {
  if (config.ARWEAVE_GATEWAY_URL && config.ARWEAVE_WALLET_FILE) {
    const wallet = loadWallet(config.ARWEAVE_WALLET_FILE);
    return { url: config.ARWEAVE_GATEWAY_URL, kind: 'arweave' as const, wallet, stop: async () => undefined };
  }
  const directory = join(config.DATA_DIR, 'devnet');
  const devnet = await startDevnet({ directory, blockMs: config.DEVNET_BLOCK_MS, log });
  return { url: devnet.url, kind: 'devnet' as const, wallet: loadWallet(devnet.wallet), stop: devnet.stop };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutdown.run(0));
// The parent process (`npm run dev`) was killed: stop, so that the server does not outlive it.
process.once('disconnect', () => void shutdown.run(0));

/** The reason in one sentence if the operator can fix it; null for an internal error. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof WalletError) {
    return error.message;
  }
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken; set PORT to another one.`;
  if (isConnectionLoss(error)) return 'The database is not reachable; check DATABASE_URL.';
  return null;
}

main().catch(async (error: unknown) => {
  const reason = reasonOf(error);
  process.stderr.write(reason ? `Perpetua cannot start: ${reason}\n` : `${(error as Error).stack ?? error}\n`);
  await shutdown.run(1);
});
